import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { eq, sql } from 'drizzle-orm';
import { ledgerAccounts, ledgerTransactions } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { places, prepareOnce } from '../../platform/database/prepare-once.ts';
import { together } from '../../platform/database/together.ts';
import type { Account } from './accounts.ts';

/** An amount that leaves the debited account and reaches the credited one. */
export type Posting = {
  readonly debit: Account;
  readonly credit: Account;
  readonly amount: bigint;
};

export type LedgerTransaction = {
  /** Names the event, not the attempt: a repeated key is not posted again. */
  readonly key: string;
  readonly lobbyId: LobbyId;
  readonly postings: readonly Posting[];
  /** Nobody has posted the event yet, as far as the caller knows: all is sent at once. Throws `PostedBefore` if it was. */
  readonly isNew?: true;
};

const naming = prepareOnce((db) =>
  db
    .insert(ledgerTransactions)
    .values(places('key', 'lobbyId'))
    .onConflictDoNothing()
    .returning({ key: ledgerTransactions.key }),
);

export class PostedBefore extends Error {}

/**
 * Posts all or nothing; must run inside a database transaction. False if the event was posted before. A
 * posting that would overdraw an account violates a constraint and takes the whole transaction down.
 */
export async function post(
  tx: Database,
  { key, lobbyId, postings, isNew }: LedgerTransaction,
): Promise<boolean> {
  const moving = postings.filter(({ amount }) => amount !== 0n);
  if (moving.length === 0) return false;
  // Before what refers to it.
  const opening = naming(tx).execute({ key, lobbyId });
  if (!isNew) {
    if ((await opening).length === 0) return false;
    await write(tx, key, moving);
    return true;
  }
  const [opened, written] = await Promise.allSettled([opening, write(tx, key, moving)]);
  if (opened.status === 'fulfilled' && opened.value.length === 0) throw new PostedBefore(key);
  for (const result of [opened, written]) if (result.status === 'rejected') throw result.reason;
  return true;
}

export async function isPosted(tx: Database, key: string): Promise<boolean> {
  const isIt = eq(ledgerTransactions.key, key);
  return (await tx.select({ key: ledgerTransactions.key }).from(ledgerTransactions).where(isIt)).length > 0;
}

export async function readBalance(db: Database, account: Account): Promise<bigint> {
  const [row] = await db
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.id, account.id));
  return row?.balance ?? 0n;
}

/** The balance, locked until the transaction ends. */
export async function lockBalance(tx: Database, account: Account): Promise<bigint> {
  const [row] = await lockingBalance(tx).execute({ id: account.id });
  return row?.balance ?? 0n;
}

const lockingBalance = prepareOnce((db) =>
  db
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.id, sql.placeholder('id')))
    .for('update'),
);

/** Lists are one parameter each, so that PostgreSQL knows every statement here, however many accounts it is about. */
async function write(tx: Database, key: string, postings: readonly Posting[]): Promise<void> {
  const changes = new Map<string, { account: Account; delta: bigint }>();
  const change = (account: Account, amount: bigint) => {
    const known = changes.get(account.id);
    changes.set(account.id, { account, delta: (known?.delta ?? 0n) + amount });
  };
  for (const { debit, credit, amount } of postings) {
    change(debit, -amount);
    change(credit, amount);
  }
  // Always opened and locked in the same order, so that two transactions cannot deadlock.
  const sorted = [...changes.values()].sort((a, b) => (a.account.id < b.account.id ? -1 : 1));
  const ids = list(sorted.map(({ account }) => account.id));
  const kinds = list(sorted.map(({ account }) => account.kind));
  const lobbyIds = list(sorted.map(({ account }) => account.lobbyId));
  const opening = tx.execute(sql`
    insert into ledger_accounts (id, kind, lobby_id, balance)
    select id, kind, lobby_id, 0 from unnest(${ids}::text[], ${kinds}::text[], ${lobbyIds}::uuid[])
      as new (id, kind, lobby_id)
    on conflict do nothing`);
  const debits = list(postings.map(({ debit }) => debit.id));
  const credits = list(postings.map(({ credit }) => credit.id));
  const amounts = list(postings.map(({ amount }) => String(amount)));
  const posting = tx.execute(sql`
    insert into ledger_postings (transaction_key, debit, credit, amount)
    select ${key}, debit, credit, amount from unnest(${debits}::text[], ${credits}::text[], ${amounts}::numeric[])
      as moves (debit, credit, amount)`);
  const [, moved] = await together([
    // Sent in this order: rows are there before they are changed, and locked before anything refers to them.
    opening.execute(),
    together(
      sorted.map(({ account, delta }) => moving(tx).execute({ id: account.id, delta: String(delta) })),
    ),
    posting.execute(),
  ]);
  // Each lobby has a pool of its own on the chain.
  const lobbyOf = new Map(moved.flat().map(({ id, lobbyId }) => [id, lobbyId]));
  for (const { account } of sorted) {
    const lobbyId = lobbyOf.get(account.id);
    if (lobbyId !== account.lobbyId) throw new Error(`The account ${account.id} is of the lobby ${lobbyId}`);
  }
}

const list = (values: readonly string[]) => sql.param(values);

const moving = prepareOnce((db) =>
  db
    .update(ledgerAccounts)
    .set({ balance: sql`${ledgerAccounts.balance} + ${sql.placeholder('delta')}::numeric` })
    .where(eq(ledgerAccounts.id, sql.placeholder('id')))
    .returning({ id: ledgerAccounts.id, lobbyId: ledgerAccounts.lobbyId }),
);
