import { type ClaimCounter, readClaimCounter } from '@engulf/chain/accounts/claim-counter';
import { answersOf } from '@engulf/chain/node/agreement';
import type { TransactionFate } from '@engulf/chain/node/await-finality';
import { describeTransactionError } from '@engulf/chain/node/error-texts';
import { isPayoutKeyRefused } from '@engulf/chain/node/node-errors';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { type Address, signature as toSignature } from '@solana/kit';
import { and, eq, isNotNull, max } from 'drizzle-orm';
import { changeLobby } from '../../lobbies/lobby-changes.ts';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { type BatchRow, payoutBatches } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { batchSchema } from '../signer/signer.ts';
import { forgetAlone, isBelievedAlone } from './lone-node.ts';
import { noteRefusal, reviveBatch } from './payout-states.ts';
import type { BookPayments } from './pool-proof.ts';

/*
 * In a lobby with a counter, the chain pays one claim per number. So a batch that seems lost may be replaced by another one
 * of the same number, whatever nodes, clocks or another worker believe: one of them lands. The next number is used only
 * when the books know which claim took the one before.
 */

/** A lobby is in order for good as soon as any node has shown its counter: the books may be older than that. */
export async function isInOrder(context: Pick<Context, 'db' | 'chain'>, lobby: PaidLobby): Promise<boolean> {
  if (lobby.claimsInOrder) return true;
  const counters = await askAll(context, (node) => readCounterOf(context, lobby, node));
  if (counters.every((counter) => counter === undefined)) return false;
  await changeLobby(context.db, lobby, { claimsInOrder: true });
  return true;
}

/** The number of the next claim. Undefined while the books do not know what the earlier ones have paid. */
export async function findNextNumber(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  bookPayments: BookPayments,
): Promise<bigint | undefined> {
  const { db, logger } = context;
  const shown = await showCounters(context, lobby);
  const counter = believe(context, lobby, shown);
  const known = await nextKnownNumber(db, lobby.id);
  if (!counter || counter.nextNumber <= known) {
    const isBehind = counter?.nextNumber !== known;
    if (isBehind) logger.info({ lobbyId: lobby.id, known, counter }, 'the nodes are behind the books');
    return isBehind ? undefined : known;
  }
  const isRevived =
    counter.nextNumber === known + 1n &&
    (await hasLanded(context, await findBatch(db, counter.lastBatchId))) &&
    (await db.transaction((tx) => reviveBatch(context, tx, lobby.id, { ...counter, number: known })));
  if (!isRevived) await bookPayments(lobby.id, 'unproven');
  const next = await nextKnownNumber(db, lobby.id);
  if (next === counter.nextNumber) return next;
  // If another node does not show them, they may be made up. A claim by the number that the books know is safe: if it was
  // taken, the chain refuses it.
  if (shown.some((one) => one.counter?.nextNumber === next)) return next;
  logger.error(
    { code: 'CLAIMS_UNKNOWN', lobbyId: lobby.id, known: next, onChain: counter.nextNumber },
    'the chain has made claims that the books do not know, so nothing is paid before they are found',
  );
  return undefined;
}

/**
 * The outcome of a batch once it is certain that it landed, or worth replacing it; undefined until then. That it did not
 * land one node is enough for: if it errs, another batch of the same number is built, and one of the two lands.
 */
export async function findOrderedFate(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  batch: BatchRow & { readonly number: bigint },
  bookPayments: BookPayments,
): Promise<TransactionFate | undefined> {
  const shown = await showCounters(context, lobby);
  const counter = believe(context, lobby, shown);
  if (!counter) return undefined;
  const { nextNumber, lastBatchId, slot } = counter;
  const expired = { kind: 'expired', asOfSlot: slot } as const;
  const denying = shown.filter((one) => (one.counter?.nextNumber ?? 0n) <= batch.number);
  if (nextNumber <= batch.number) {
    const failed = await findFailure(context, batch);
    return failed ?? ((await isPast(denying, batch.lastValidBlockHeight)) ? expired : undefined);
  }
  const isNamed = nextNumber === batch.number + 1n && lastBatchId === batch.id;
  if (isNamed && (await hasLanded(context, batch))) return { kind: 'finalized', slot };
  // That nodes refuse it now says nothing about its payouts.
  await noteRefusal(context.db, batch, null);
  if (nextNumber === batch.number + 1n && !isNamed) return expired;
  // Others have followed, or somebody else may have named this one. Only the history tells which one took the number; if it
  // was this one, it is booked by that.
  await bookPayments(lobby.id, 'unproven');
  const row = await findBatch(context.db, batch.id);
  const isTakenByOther =
    row?.status === 'open' && (await nextKnownNumber(context.db, lobby.id)) > batch.number;
  if (isTakenByOther) return expired;
  // A counter that one node has made up must not keep it open for good.
  return row?.status === 'open' && (await isPast(denying, batch.lastValidBlockHeight)) ? expired : undefined;
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

/** Whether a claim has made the payments that the signer was asked to sign. */
export function isWhatItPays({ description }: BatchRow, payments: readonly Payment[]): boolean {
  if (description === null) return false;
  const namesOf = (rewards: readonly Payment[]) =>
    rewards
      .map(({ player, amount }) => `${player} ${amount}`)
      .sort()
      .join();
  return namesOf(batchSchema.parse(description).rewards) === namesOf(payments);
}

type Payment = { readonly player: Address; readonly amount: bigint };

/** The newest counter that is believed. Undefined if there is none. */
export async function readCounter(
  context: Pick<Context, 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
): Promise<ClaimCounter | undefined> {
  return believe(context, lobby, await showCounters(context, lobby));
}

/**
 * A node can invent a counter, so that a payout would count as made that nobody has. So two have to show it, or one for a
 * while in which the claim is sent again and again through all of them: then it lands, whoever says so too early.
 */
function believe(
  context: Pick<Context, 'chain' | 'logger' | 'nowMs'>,
  { id: lobbyId }: PaidLobby,
  shown: readonly Shown[],
): ClaimCounter | undefined {
  const { chain, logger } = context;
  const counters = shown
    .flatMap(({ counter }) => counter ?? [])
    .sort((a, b) =>
      a.nextNumber === b.nextNumber ? Number(a.slot - b.slot) : Number(b.nextNumber - a.nextNumber),
    );
  const [newest] = counters;
  if (!newest || chain.nodes.length === 1 || newest.nextNumber === 0n) return newest;
  const shared = counters.find((counter) => counters.some((other) => isAsOf(other, counter)));
  if (shared === newest) {
    forgetAlone(lobbyId);
    return newest;
  }
  const claim = `${newest.nextNumber} ${newest.lastBatchId}`;
  if (isBelievedAlone(context, lobbyId, { claim, isDenied: shown.length > 1 })) return newest;
  logger.warn(
    { code: 'NODES_DISAGREE', lobbyId, newest, shared },
    'one node alone shows this counter of claims, so it is not believed yet',
  );
  return shared;
}

/** Whether another counter bears this one out: counters only grow. */
function isAsOf(other: ClaimCounter, counter: ClaimCounter): boolean {
  if (other === counter) return false;
  const isSame = other.nextNumber === counter.nextNumber && other.lastBatchId === counter.lastBatchId;
  return isSame || other.nextNumber > counter.nextNumber;
}

type Shown = { readonly node: Node; readonly counter: ClaimCounter | undefined };

const showCounters = (context: Pick<Context, 'chain'>, lobby: PaidLobby): Promise<Shown[]> =>
  askAll(context, async (node) => ({ node, counter: await readCounterOf(context, lobby, node) }));

const readCounterOf = ({ chain }: Pick<Context, 'chain'>, lobby: PaidLobby, node: Node) =>
  readClaimCounter(node, chain.programId, lobby.chainLobbyId);

/** Whether one of those that show no such claim is past the time in which it can land. */
async function isPast(denying: readonly Shown[], lastValidBlockHeight: bigint): Promise<boolean> {
  const heights = await Promise.allSettled(
    denying.map(({ node }) => node.getBlockHeight({ commitment: 'finalized' }).send()),
  );
  return heights.some((one) => one.status === 'fulfilled' && one.value > lastValidBlockHeight);
}

/** It landed and was refused, so that its payouts are tried one by one. */
async function findFailure(
  context: Pick<Context, 'chain'>,
  batch: BatchRow,
): Promise<TransactionFate | undefined> {
  for (const { err } of await showStatuses(context, batch)) {
    // If the payout key may not claim any more, its payouts are as good as before.
    if (err && !isPayoutKeyRefused(err)) return { kind: 'failed', reason: describeTransactionError(err) };
  }
  return undefined;
}

/**
 * Whether it was this batch that took its number. Its id in the counter does not tell: whoever has stolen a payout key can
 * claim by any id, and the payouts of this one would count as made.
 */
async function hasLanded(context: Pick<Context, 'chain'>, batch: BatchRow | undefined): Promise<boolean> {
  return batch !== undefined && (await showStatuses(context, batch)).some(({ err }) => err === null);
}

/** What nodes say about how its transaction ended. */
async function showStatuses(context: Pick<Context, 'chain'>, { signature }: BatchRow) {
  if (signature === null) return [];
  const answers = await askAll(context, (node) =>
    node.getSignatureStatuses([toSignature(signature)], { searchTransactionHistory: true }).send(),
  );
  return answers.flatMap(({ value: [status] }) =>
    status?.confirmationStatus === 'finalized' ? [status] : [],
  );
}

async function findBatch(db: Database, id: string): Promise<BatchRow | undefined> {
  const [row] = await db.select().from(payoutBatches).where(eq(payoutBatches.id, id));
  return row;
}

type Node = Context['chain']['rpc'];

/** The answers of the nodes that gave one. Throws if none did. */
async function askAll<Answer>(
  { chain }: Pick<Context, 'chain'>,
  ask: (node: Node) => Promise<Answer>,
): Promise<Awaited<Answer>[]> {
  return answersOf(await Promise.allSettled(chain.nodes.map(async (node) => ask(node))));
}
