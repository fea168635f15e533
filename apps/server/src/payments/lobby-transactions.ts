import { type PoolAccount, readPoolChange } from '@engulf/chain/accounts/pool-account';
import { type ListedTransaction, listTransactions } from '@engulf/chain/node/lobby-history';
import { isNodeUnavailable } from '@engulf/chain/node/node-errors';
import { readTransaction, type TransactionReading } from '@engulf/chain/node/read-transaction';
import { findPaymentGap } from '@engulf/chain/payments/join-payments';
import { type LobbyId, type TransactionSignature, transactionSignature } from '@engulf/domain/ids/entity-ids';
import { signature as toSignature } from '@solana/kit';
import { and, eq, inArray, lte } from 'drizzle-orm';
import type { PaidLobby } from '../lobbies/lobby-rows.ts';
import { advanceReconciled, readPoolReadings } from '../money/pool-readings.ts';
import type { Context } from '../platform/context.ts';
import { reconciledTransactions, unreadableTransactions } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';
import { noteUnreadable } from './unreadable-transactions.ts';

/*
 * The transactions on a lobby's pool that have not been matched with entries yet. Listings overlap, because a node may
 * list a transaction late; what was handled before is skipped.
 */

/** `recent` repeats the newest slots; `unproven` everything since books and pool were last equal, on all nodes. */
export type Reach = 'recent' | 'unproven';

type Transaction = Extract<TransactionReading, { kind: 'read' }>['transaction'];
/** `change` is by how much the transaction changed the pool. */
export type HandleTransaction = (
  listed: ListedTransaction,
  transaction: Transaction,
  change: bigint,
) => Promise<void>;

/** About four minutes. */
const OVERLAP_SLOTS = 600n;
/** After this many failures in a row the node is at fault, not the transactions. */
const MAX_FAILURES_IN_A_ROW = 3;

/** A backlog of this many is an alarm: somebody pays to keep us reading, or a node was away for long. */
const BACKLOG_ALARM = 500;
/** Read at the same time, handled one after another. */
const READ_AHEAD = 16;

/** Calls `handle` for each new transaction that succeeded, oldest first. One that cannot be read is put aside. */
export async function handleNewTransactions(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  pool: PoolAccount,
  reach: Reach,
  handle: HandleTransaction,
): Promise<void> {
  const { db, logger } = context;
  const listed = await list(context, lobby, pool, reach);
  // One that failed is not noted as done: if another listing says that it succeeded, that one counts.
  const succeeded = listed.filter(({ isFailed }) => !isFailed);
  const unknown = await dropKnown(db, lobby.id, succeeded);
  if (unknown.length > BACKLOG_ALARM)
    logger.error(
      { code: 'PAYMENTS_BEHIND', lobbyId: lobby.id, backlog: unknown.length },
      'many transactions on a lobby wait to be read; its payouts wait for them',
    );
  for await (const { next, reading } of readAll(context, pool, await dueRetries(context, lobby.id))) {
    const outcome = await tryOne(context, lobby, pool, next, reading, handle);
    if (outcome) await noteUnreadable(context, lobby.id, next, String(outcome.unavailable));
  }
  let failures: { readonly next: ListedTransaction; readonly error: unknown }[] = [];
  for await (const { next, reading } of readAll(context, pool, unknown)) {
    const outcome = await tryOne(context, lobby, pool, next, reading, handle);
    if (outcome) {
      failures.push({ next, error: outcome.unavailable });
      if (failures.length === MAX_FAILURES_IN_A_ROW) break;
      continue;
    }
    // The node works, so it is these transactions.
    for (const failed of failures) await noteUnreadable(context, lobby.id, failed.next, String(failed.error));
    failures = [];
  }
  if (failures[0]) throw failures[0].error;
  const newest = listed.at(-1);
  if (newest) await advanceReconciled(db, lobby.id, newest.slot);
}

type Outcome = PromiseSettledResult<TransactionReading>;

async function* readAll(
  context: Pick<Context, 'chain'>,
  pool: PoolAccount,
  listed: readonly ListedTransaction[],
) {
  for (let start = 0; start < listed.length; start += READ_AHEAD) {
    const some = listed.slice(start, start + READ_AHEAD);
    const readings = await Promise.allSettled(some.map((next) => read(context, pool, next)));
    for (const [index, next] of some.entries()) yield { next, reading: readings[index]! };
  }
}

/** Handles a transaction or puts it aside. Returns the error if the node may be at fault instead. */
async function tryOne(
  context: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  pool: PoolAccount,
  next: ListedTransaction,
  reading: Outcome,
  handle: HandleTransaction,
): Promise<{ readonly unavailable: unknown } | undefined> {
  try {
    if (reading.status === 'rejected') throw reading.reason;
    await handleOne(context, lobby, pool, next, reading.value, handle);
  } catch (error) {
    if (isNodeUnavailable(error)) return { unavailable: error };
    await noteUnreadable(context, lobby.id, next, String(error));
  }
  return undefined;
}

/** A transaction may name many lobbies, and is read once for all of them. */
async function read(
  { chain }: Pick<Context, 'chain'>,
  pool: PoolAccount,
  { signature }: ListedTransaction,
): Promise<TransactionReading> {
  const remembered = memoryOf(chain);
  const isEnough = (transaction: Transaction) => readPoolChange(transaction, pool) !== undefined;
  const known = remembered.get(signature);
  if (known && isEnough(known)) return { kind: 'read', transaction: known };
  const reading = await readTransaction(chain.nodes, signature, (transaction) => {
    if (transaction.meta?.err) return 'it failed, but is listed as successful';
    if (readPoolChange(transaction, pool) === undefined) return 'its balances are missing';
    return findPaymentGap(transaction, chain.programId);
  });
  if (reading.kind === 'unreadable') return reading;
  remembered.set(signature, reading.transaction);
  if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value!);
  return reading;
}

/** What is final does not change, so it may be remembered. */
const memories = new WeakMap<Context['chain']['nodes'], Map<string, Transaction>>();
const REMEMBERED = 500;

function memoryOf({ nodes }: Context['chain']): Map<string, Transaction> {
  const known = memories.get(nodes) ?? new Map<string, Transaction>();
  memories.set(nodes, known);
  return known;
}

async function handleOne(
  context: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  pool: PoolAccount,
  next: ListedTransaction,
  reading: TransactionReading,
  handle: HandleTransaction,
): Promise<void> {
  if (reading.kind === 'unreadable') {
    await noteUnreadable(context, lobby.id, next, reading.reason);
    return;
  }
  await handle(next, reading.transaction, readPoolChange(reading.transaction, pool)!);
  const key = { lobbyId: lobby.id, signature: transactionSignature(next.signature) };
  await context.db.transaction(async (tx) => {
    await tx
      .insert(reconciledTransactions)
      .values({ ...key, slot: next.slot })
      .onConflictDoNothing();
    await tx
      .delete(unreadableTransactions)
      .where(
        and(
          eq(unreadableTransactions.lobbyId, key.lobbyId),
          eq(unreadableTransactions.signature, key.signature),
        ),
      );
  });
}

async function list(
  context: Pick<Context, 'db' | 'chain' | 'logger'>,
  lobby: PaidLobby,
  pool: PoolAccount,
  reach: Reach,
): Promise<ListedTransaction[]> {
  const { chain, db, logger } = context;
  const { reconciledSlot, provenSlot } = await readPoolReadings(db, lobby.id);
  const from = (reach === 'recent' ? reconciledSlot : provenSlot) ?? 0n;
  const sinceSlot = from > OVERLAP_SLOTS ? from - OVERLAP_SLOTS : 0n;
  const nodes = reach === 'recent' ? [chain.rpc] : chain.nodes;
  const lists = await Promise.allSettled(
    nodes.map((rpc) => listTransactions({ rpc, account: pool.address, sinceSlot })),
  );
  const [failure] = lists.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (lists.every(({ status }) => status === 'rejected')) throw failure;
  if (failure)
    logger.warn(
      { code: 'NODE_UNAVAILABLE', err: failure, lobbyId: lobby.id },
      'a node did not list the transactions',
    );
  const listed = lists.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  // The last one counts: that a transaction succeeded, one node may say.
  listed.sort((a, b) => Number(b.isFailed) - Number(a.isFailed));
  const all = new Map(listed.map((one) => [one.signature, one]));
  return [...all.values()].sort((a, b) => Number(a.slot - b.slot));
}

const SIGNATURES_PER_QUERY = 1000;

async function dropKnown(
  db: Database,
  lobbyId: LobbyId,
  listed: readonly ListedTransaction[],
): Promise<ListedTransaction[]> {
  const known = new Set<string>();
  for (let start = 0; start < listed.length; start += SIGNATURES_PER_QUERY) {
    const some = listed.slice(start, start + SIGNATURES_PER_QUERY);
    const signatures = some.map(({ signature }) => transactionSignature(signature));
    for (const table of [reconciledTransactions, unreadableTransactions]) {
      const rows: { signature: TransactionSignature }[] = await db
        .select({ signature: table.signature })
        .from(table)
        .where(and(eq(table.lobbyId, lobbyId), inArray(table.signature, signatures)));
      for (const { signature } of rows) known.add(signature);
    }
  }
  return listed.filter(({ signature }) => !known.has(signature));
}

async function dueRetries(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  lobbyId: LobbyId,
): Promise<ListedTransaction[]> {
  const rows = await db
    .select()
    .from(unreadableTransactions)
    .where(
      and(
        eq(unreadableTransactions.lobbyId, lobbyId),
        lte(unreadableTransactions.retryAt, new Date(nowMs())),
      ),
    )
    .orderBy(unreadableTransactions.slot);
  return rows.map(({ signature, slot }) => ({
    signature: toSignature(signature),
    slot,
    isFailed: false,
    memo: null,
  }));
}
