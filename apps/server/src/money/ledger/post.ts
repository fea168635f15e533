import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { eq, inArray, sql } from 'drizzle-orm';
import { ledgerAccounts, ledgerPostings, ledgerTransactions } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
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
};

/**
 * Posts all or nothing; must run inside a database transaction. False if the event was posted before. A
 * posting that would overdraw an account violates a constraint and takes the whole transaction down.
 */
export async function post(tx: Database, { key, lobbyId, postings }: LedgerTransaction): Promise<boolean> {
  const moving = postings.filter(({ amount }) => amount !== 0n);
  if (moving.length === 0) return false;
  const opened = await tx
    .insert(ledgerTransactions)
    .values({ key, lobbyId })
    .onConflictDoNothing()
    .returning({ key: ledgerTransactions.key });
  if (opened.length === 0) return false;
  await changeBalances(tx, moving);
  await tx.insert(ledgerPostings).values(
    moving.map(({ debit, credit, amount }) => ({
      transactionKey: key,
      debit: debit.id,
      credit: credit.id,
      amount,
    })),
  );
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
  const [row] = await tx
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.id, account.id))
    .for('update');
  return row?.balance ?? 0n;
}

async function changeBalances(tx: Database, postings: readonly Posting[]): Promise<void> {
  const changes = new Map<string, { account: Account; delta: bigint }>();
  const change = (account: Account, amount: bigint) => {
    const known = changes.get(account.id);
    changes.set(account.id, { account, delta: (known?.delta ?? 0n) + amount });
  };
  for (const { debit, credit, amount } of postings) {
    change(debit, -amount);
    change(credit, amount);
  }
  const ids = [...changes.keys()].sort();
  await tx
    .insert(ledgerAccounts)
    .values([...changes.values()].map(({ account }) => ({ ...account, balance: 0n })))
    .onConflictDoNothing();
  // Always locked in the same order, so that two transactions cannot deadlock.
  const locked = await tx
    .select({ id: ledgerAccounts.id, lobbyId: ledgerAccounts.lobbyId })
    .from(ledgerAccounts)
    .where(inArray(ledgerAccounts.id, ids))
    .orderBy(ledgerAccounts.id)
    .for('update');
  // Each lobby has a pool of its own on the chain.
  const foreign = locked.find(({ id, lobbyId }) => changes.get(id)!.account.lobbyId !== lobbyId);
  if (foreign) throw new Error(`The account ${foreign.id} is of the lobby ${foreign.lobbyId}`);
  for (const id of ids) {
    const { delta } = changes.get(id)!;
    if (delta === 0n) continue;
    await tx
      .update(ledgerAccounts)
      .set({ balance: sql`${ledgerAccounts.balance} + ${delta.toString()}::numeric` })
      .where(eq(ledgerAccounts.id, id));
  }
}
