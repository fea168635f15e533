import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { isUuid } from '@engulf/domain/ids/uuid';
import { and, asc, eq, inArray, ne, or } from 'drizzle-orm';
import { isPaid, type LobbyRow, listAllLobbies } from '../../lobbies/lobby-rows.ts';
import { bountyOf, payableOf } from '../../money/ledger/accounts.ts';
import { readLobbyBooks } from '../../money/ledger/books.ts';
import { readPoolReadings } from '../../money/pool-readings.ts';
import { comparePool } from '../../money/solvency.ts';
import { reconcileLobby } from '../../payments/reconcile-lobby.ts';
import { type EntryRow, entries, payments } from '../../platform/database/games.ts';
import {
  ledgerAccounts,
  ledgerPostings,
  ledgerTransactions,
  payouts,
} from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { type Answer, type Command, defineChange, defineRead, Refusal, withChain } from '../command.ts';
import { requireLobby } from '../find-rows.ts';
import { showTable } from '../show.ts';

const reconcile = defineChange({
  name: 'reconcile',
  about:
    "Searches everything on a lobby's pool since books and chain were last equal, on all nodes, and books it.",
  notes: ['The worker does the same once an hour. Everyone who paid gets a seat or a refund.'],
  positionals: ['lobby'],
  options: {},
  prepare: async ({ admin, positionals: [name] }) => {
    const lobby = await requireLobby(admin.db, name!);
    if (!isPaid(lobby)) throw new Refusal(`"${lobby.name}" is free: it has no pool.`);
    if (lobby.stage !== 'ready' && lobby.stage !== 'removing')
      throw new Refusal(`"${lobby.name}" is ${lobby.stage}.`);
    const { provenSlot } = await readPoolReadings(admin.db, lobby.id);
    return {
      lines: [
        `the payments and gifts on "${lobby.name}" since slot ${provenSlot ?? 0} that are not booked yet`,
      ],
      apply: async ({ note, report }) => {
        const before = await countPayments(admin.db, lobby);
        await reconcileLobby(await withChain(admin), lobby.id, 'unproven');
        const found = (await countPayments(admin.db, lobby)) - before;
        await admin.db.transaction((tx) => note(tx, lobby.id, { paymentsFound: found }));
        report(`${found} payments found`);
      },
    };
  },
});

async function countPayments(db: Database, { id }: LobbyRow): Promise<number> {
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.lobbyId, id), eq(payments.status, 'verified')));
  return rows.length;
}

const ledger = defineRead({
  name: 'ledger',
  about: "Shows a lobby's accounts with their balances, or every posting of an entry.",
  notes: ['In base units. Pool and treasury stand for money on the chain and are negative by that amount.'],
  positionals: ['lobby-or-entry'],
  options: {},
  read: async ({ admin: { db }, positionals: [text] }) => {
    const entry = isUuid(text!) ? await findEntry(db, text as EntryId) : undefined;
    return entry ? showPostings(db, entry) : showAccounts(db, await requireLobby(db, text!));
  },
});

async function findEntry(db: Database, id: EntryId): Promise<EntryRow | undefined> {
  const [entry] = await db.select().from(entries).where(eq(entries.id, id));
  return entry;
}

async function showAccounts(db: Database, lobby: LobbyRow): Promise<Answer> {
  const isShown = and(eq(ledgerAccounts.lobbyId, lobby.id), ne(ledgerAccounts.balance, 0n));
  const rows = await db
    .select({ account: ledgerAccounts.id, balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(isShown)
    .orderBy(asc(ledgerAccounts.kind), asc(ledgerAccounts.id));
  return showTable(rows, `No account of "${lobby.name}" holds anything.`);
}

async function showPostings(db: Database, entry: EntryRow): Promise<Answer> {
  const rows = await postingsOf(db, entry);
  return showTable(rows, `Nothing was posted for the entry ${entry.id}, which is ${entry.state}.`);
}

export async function postingsOf(db: Database, entry: EntryRow) {
  const [payout] = await db.select().from(payouts).where(eq(payouts.entryId, entry.id));
  const accounts = [
    bountyOf(entry.lobbyId, entry.id).id,
    ...(payout ? [payableOf(entry.lobbyId, payout.id).id] : []),
  ];
  return db
    .select({
      at: ledgerTransactions.createdAt,
      event: ledgerPostings.transactionKey,
      debit: ledgerPostings.debit,
      credit: ledgerPostings.credit,
      amount: ledgerPostings.amount,
    })
    .from(ledgerPostings)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.key, ledgerPostings.transactionKey))
    .where(or(inArray(ledgerPostings.debit, accounts), inArray(ledgerPostings.credit, accounts)))
    .orderBy(asc(ledgerPostings.id));
}

const solvency = defineRead({
  name: 'solvency',
  about: 'Compares every pool on the chain with what the books say it owes.',
  notes: ['In base units.'],
  positionals: [],
  options: {},
  read: async ({ admin }) => {
    const context = await withChain(admin);
    const books = new Map((await readLobbyBooks(admin.db)).map((one) => [one.lobbyId, one]));
    const rows = [];
    for (const lobby of await listAllLobbies(admin.db)) {
      if (!isPaid(lobby) || lobby.stage === 'creating' || lobby.stage === 'removed') continue;
      const found = await comparePool(context, lobby);
      const { bounties = 0n, spill = 0n, payable = 0n, gifts = 0n } = books.get(lobby.id) ?? {};
      rows.push({
        lobby: lobby.name,
        token: lobby.tokenSymbol,
        poolOnChain: found?.pool,
        poolInBooks: found?.held,
        inFlight: found?.inFlight,
        bounties,
        spill,
        payable,
        gifts,
        verdict: verdictOf(found),
      });
    }
    return showTable(rows, 'No lobby is on the chain.');
  },
});

function verdictOf(found: Awaited<ReturnType<typeof comparePool>>): string {
  if (!found) return 'unknown: the node is behind';
  if (found.pool < found.held - found.inFlight) return 'SHORT';
  return found.pool > found.held ? 'surplus' : 'ok';
}

export const BOOK_COMMANDS: readonly Command[] = [reconcile, ledger, solvency];
