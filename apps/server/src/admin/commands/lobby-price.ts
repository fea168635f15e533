import { readLobby } from '@engulf/chain/accounts/read-configs';
import { editLobbyPriceInstruction } from '@engulf/chain/admin/lobby-admin';
import { formatExactAmount } from '@engulf/domain/money/amount';
import { and, count, eq, gt, or } from 'drizzle-orm';
import { lockLobby } from '../../entries/seats.ts';
import { changeLobby } from '../../lobbies/lobby-changes.ts';
import { findLobby, isPaid, type LobbyRow, type PaidLobby, tokenOf } from '../../lobbies/lobby-rows.ts';
import { entries } from '../../platform/database/games.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { type ChainChange, changeOnChain, requireSuperAdmin } from '../chain-change.ts';
import { type AdminContext, type Applying, defineChange, Refusal, Unfinished } from '../command.ts';
import { requireLobby } from '../find-rows.ts';
import { amountOf } from '../read-values.ts';

export const changePrice = defineChange({
  name: 'lobby price',
  about: 'Changes what an entry costs.',
  notes: [
    'Nobody is asked to pay while it changes, and it waits for those who are paying now: their price holds. If it is',
    'interrupted, entries stay paused until the same command, run again, has finished it.',
  ],
  positionals: ['lobby', 'amount'],
  options: {},
  prepare: async ({ admin, positionals: [name, amount] }) => {
    const lobby = await requireLobby(admin.db, name!);
    if (!isPaid(lobby)) throw new Refusal(`"${lobby.name}" is free.`);
    if (lobby.stage !== 'ready') throw new Refusal(`"${lobby.name}" is ${lobby.stage}.`);
    const token = tokenOf(lobby);
    const text = (units: bigint) => `${formatExactAmount(units, token)} ${token.symbol}`;
    const price = amountOf(amount!, token, '<amount>');
    expectNoOther(lobby, price);
    const isSame = lobby.nextEntryFee === null && lobby.entryFee === price;
    if (isSame && (await hasPrice(admin, lobby, price))) return { lines: [], apply: async () => undefined };
    await requireSuperAdmin(admin);
    return {
      lines: [
        `price of "${lobby.name}": ${text(lobby.entryFee)} → ${text(price)}, on the chain and in the menu`,
        'new paid entries of this lobby are paused meanwhile',
      ],
      apply: (applying) => apply(applying, lobby, price),
    };
  },
});

function expectNoOther(lobby: LobbyRow, price: bigint): void {
  const { name, nextEntryFee } = lobby;
  if (nextEntryFee === null || nextEntryFee === price) return;
  const unfinished = formatExactAmount(nextEntryFee, tokenOf(lobby));
  throw new Refusal(
    `A change to ${unfinished} ${lobby.tokenSymbol} was begun. Finish it first: npm run engulf -- lobby price "${name}" ${unfinished}`,
  );
}

async function apply(applying: Applying, lobby: PaidLobby, price: bigint): Promise<void> {
  const { admin, note, report } = applying;
  await admin.db.transaction(async (tx) => {
    const current = await lockReady(tx, lobby);
    expectNoOther(current, price);
    if (current.nextEntryFee === price) return;
    await changeLobby(tx, current, { nextEntryFee: price });
    await note(tx, lobby.id, { step: 'begun', before: current.entryFee, after: price });
  });
  report('entries are paused');
  await waitForPayers(applying, lobby);
  try {
    await changeOnChain(applying, priceChange(admin, lobby, price));
  } catch (error) {
    if (error instanceof Refusal) await giveUp(applying, lobby, price);
    throw error;
  }
  await admin.db.transaction(async (tx) => {
    const current = await lockReady(tx, lobby);
    if (current.nextEntryFee !== price) return;
    await changeLobby(tx, current, { entryFee: price, nextEntryFee: null });
    await note(tx, lobby.id, { step: 'done', before: current.entryFee, after: price });
  });
  report('entries continue at the new price');
}

function priceChange(admin: AdminContext, lobby: PaidLobby, price: bigint): ChainChange {
  return {
    subject: lobby.id,
    isDone: () => hasPrice(admin, lobby, price),
    build: async () => {
      // Others who ran the same command may have finished it, and somebody may have begun the next change.
      if ((await findLobby(admin.db, lobby.id))?.nextEntryFee !== price)
        throw new Refusal(`The price of "${lobby.name}" was changed by somebody else.`);
      const superAdmin = await requireSuperAdmin(admin);
      const { programId } = await admin.openChain();
      const request = { programId, superAdmin, lobbyId: lobby.chainLobbyId, entryFee: price };
      return { payer: superAdmin, instruction: await editLobbyPriceInstruction(request) };
    },
  };
}

/** What the chain refuses once it refuses again, and nobody could enter meanwhile. */
async function giveUp({ admin, note, report }: Applying, lobby: PaidLobby, price: bigint): Promise<void> {
  await admin.db.transaction(async (tx) => {
    const current = await lockReady(tx, lobby);
    if (current.nextEntryFee !== price) return;
    await changeLobby(tx, current, { nextEntryFee: null });
    await note(tx, lobby.id, { step: 'given up', price: current.entryFee });
  });
  report('entries continue at the old price');
}

async function lockReady(tx: Database, { id, name }: PaidLobby): Promise<LobbyRow> {
  const current = await lockLobby(tx, id);
  if (current?.stage !== 'ready') throw new Refusal(`"${name}" was removed meanwhile.`);
  return current;
}

async function hasPrice(admin: AdminContext, lobby: PaidLobby, price: bigint): Promise<boolean> {
  const { rpc, programId } = await admin.openChain();
  const account = await readLobby(rpc, programId, lobby.chainLobbyId, 'finalized');
  if (!account) throw new Refusal(`"${lobby.name}" is not on the chain.`);
  return account.entryFeeAmount === price;
}

const POLL_MS = 500;
/** Longer than a seat is held and a payment takes. */
const WAIT_MS = 5 * 60_000;

/** Waits until everyone who was shown the old price has paid it or given up the seat. */
async function waitForPayers({ admin, report }: Applying, lobby: PaidLobby): Promise<void> {
  const startedMs = performance.now();
  for (let hasReported = false; ; ) {
    const paying = await countPayers(admin, lobby);
    if (paying === 0) return;
    if (performance.now() - startedMs > WAIT_MS) {
      throw new Unfinished(
        `${paying} players still hold unpaid seats in "${lobby.name}". Does a worker run?`,
      );
    }
    if (!hasReported) report(`waiting for ${paying} who are paying now`);
    hasReported = true;
    await admin.pause(POLL_MS);
  }
}

async function countPayers({ db, nowMs }: AdminContext, { id }: PaidLobby): Promise<number> {
  const lobby = await findLobby(db, id);
  if (lobby?.stage !== 'ready') throw new Refusal('The lobby was removed meanwhile.');
  const isPaying = or(
    eq(entries.state, 'payment_processing'),
    and(eq(entries.state, 'created'), gt(entries.stateExpiresAt, new Date(nowMs()))),
  );
  const [row] = await db
    .select({ count: count() })
    .from(entries)
    .where(and(eq(entries.lobbyId, id), isPaying));
  return row!.count;
}
