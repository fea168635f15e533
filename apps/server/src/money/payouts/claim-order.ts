import { type ClaimCounter, readClaimCounter } from '@engulf/chain/accounts/claim-counter';
import type { TransactionFate } from '@engulf/chain/node/await-finality';
import { describeTransactionError } from '@engulf/chain/node/error-texts';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { signature as toSignature } from '@solana/kit';
import { and, eq, isNotNull, max } from 'drizzle-orm';
import { changeLobby } from '../../lobbies/lobby-changes.ts';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { type BatchRow, payoutBatches } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { noteRefusal, reviveBatch } from './payout-states.ts';
import type { BookPayments } from './pool-proof.ts';

/*
 * In a lobby with a counter, the chain pays one claim per number. So a batch that seems lost may be replaced by another one
 * of the same number, whatever nodes, clocks or another worker believe: one of them lands. The next number is used only
 * when the books know which claim took the one before.
 */

/** A lobby is in order for good as soon as any node has shown its counter: the books may be older than that. */
export async function isInOrder(context: Context, lobby: PaidLobby): Promise<boolean> {
  if (lobby.claimsInOrder) return true;
  const counters = await askAll(context, (node) => readCounterOf(context, lobby, node));
  if (counters.every((counter) => counter === undefined)) return false;
  await changeLobby(context.db, lobby, { claimsInOrder: true });
  return true;
}

/** The number of the next claim. Undefined while the books do not know what the earlier ones have paid. */
export async function findNextNumber(
  context: Context,
  lobby: PaidLobby,
  bookPayments: BookPayments,
): Promise<bigint | undefined> {
  const { db, logger } = context;
  const counter = await readNewestCounter(context, lobby);
  const known = await nextKnownNumber(db, lobby.id);
  if (!counter || counter.nextNumber <= known) {
    const isBehind = counter?.nextNumber !== known;
    if (isBehind) logger.info({ lobbyId: lobby.id, known, counter }, 'the nodes are behind the books');
    return isBehind ? undefined : known;
  }
  const isRevived =
    counter.nextNumber === known + 1n &&
    (await db.transaction((tx) => reviveBatch(context, tx, lobby.id, { ...counter, number: known })));
  if (!isRevived) await bookPayments(lobby.id, 'unproven');
  const next = await nextKnownNumber(db, lobby.id);
  if (next === counter.nextNumber) return next;
  logger.error(
    { code: 'CLAIMS_UNKNOWN', lobbyId: lobby.id, known: next, onChain: counter.nextNumber },
    'the chain has made claims that the books do not know, so nothing is paid before they are found',
  );
  return undefined;
}

/**
 * The outcome of a batch once it is certain that it landed, or worth replacing it; undefined until then. One node is
 * enough for both: if it errs, another batch of the same number is built, and one of the two lands.
 */
export async function findOrderedFate(
  context: Context,
  lobby: PaidLobby,
  batch: BatchRow & { readonly number: bigint },
  bookPayments: BookPayments,
): Promise<TransactionFate | undefined> {
  const counter = await readNewestCounter(context, lobby);
  if (!counter) return undefined;
  const { nextNumber, lastBatchId, slot } = counter;
  const expired = { kind: 'expired', asOfSlot: slot } as const;
  if (nextNumber <= batch.number) {
    const failed = await findFailure(context, batch);
    return failed ?? ((await isPast(context, batch.lastValidBlockHeight)) ? expired : undefined);
  }
  if (nextNumber === batch.number + 1n && lastBatchId === batch.id) return { kind: 'finalized', slot };
  // That nodes refuse it now says nothing about its payouts.
  await noteRefusal(context.db, batch, null);
  if (nextNumber === batch.number + 1n) return expired;
  // Others have followed. Only the history tells which one took the number; if it was this one, it is booked by that.
  await bookPayments(lobby.id, 'unproven');
  const [row] = await context.db.select().from(payoutBatches).where(eq(payoutBatches.id, batch.id));
  const isTakenByOther =
    row?.status === 'open' && (await nextKnownNumber(context.db, lobby.id)) > batch.number;
  return isTakenByOther ? expired : undefined;
}

/** By the books: one more than the newest claim that has landed. They are booked without gaps. */
export async function nextKnownNumber(db: Database, lobbyId: LobbyId): Promise<bigint> {
  const [row] = await db
    .select({ newest: max(payoutBatches.number) })
    .from(payoutBatches)
    .where(
      and(
        eq(payoutBatches.lobbyId, lobbyId),
        eq(payoutBatches.status, 'finalized'),
        isNotNull(payoutBatches.number),
      ),
    );
  return row?.newest == null ? 0n : BigInt(row.newest) + 1n;
}

/** Counters only grow, so the largest is the newest; of equal ones the first to be like that. Undefined if no node knows one. */
export async function readNewestCounter(
  context: Context,
  lobby: PaidLobby,
): Promise<ClaimCounter | undefined> {
  const answers = await askAll(context, (node) => readCounterOf(context, lobby, node));
  const counters = answers.flatMap((counter) => counter ?? []);
  const [newest] = counters.sort((a, b) =>
    a.nextNumber === b.nextNumber ? Number(a.slot - b.slot) : Number(b.nextNumber - a.nextNumber),
  );
  return newest;
}

const readCounterOf = ({ chain }: Context, lobby: PaidLobby, node: Node) =>
  readClaimCounter(node, chain.programId, lobby.chainLobbyId);

async function isPast(context: Context, lastValidBlockHeight: bigint): Promise<boolean> {
  const heights = await askAll(context, (node) => node.getBlockHeight({ commitment: 'finalized' }).send());
  return heights.some((height) => height > lastValidBlockHeight);
}

/** It landed and was refused, so that its payouts are tried one by one. */
async function findFailure(context: Context, { signature }: BatchRow): Promise<TransactionFate | undefined> {
  if (signature === null) return undefined;
  const answers = await askAll(context, (node) =>
    node.getSignatureStatuses([toSignature(signature)], { searchTransactionHistory: true }).send(),
  );
  for (const { value } of answers) {
    const [status] = value;
    if (status?.err && status.confirmationStatus === 'finalized')
      return { kind: 'failed', reason: describeTransactionError(status.err) };
  }
  return undefined;
}

type Node = Context['chain']['rpc'];

/** The answers of the nodes that gave one. Throws if none did. */
async function askAll<Answer>(
  { chain }: Context,
  ask: (node: Node) => Promise<Answer>,
): Promise<Awaited<Answer>[]> {
  const asked = await Promise.allSettled(chain.nodes.map(async (node) => ask(node)));
  const answers = asked.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const [failure] = asked.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (answers.length === 0) throw failure;
  return answers;
}
