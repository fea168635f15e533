import { randomUUID } from 'node:crypto';
import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import {
  type Claim,
  type OrderedClaim,
  readClaim,
  readOrderedClaims,
} from '@engulf/chain/payouts/read-claim';
import { type TransactionSignature, transactionSignature } from '@engulf/domain/ids/entity-ids';
import type { Address } from '@solana/kit';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { PaidLobby } from '../lobbies/lobby-rows.ts';
import { giftsOf, poolOf } from '../money/ledger/accounts.ts';
import { isPosted, lockBalance, post } from '../money/ledger/post.ts';
import { isWhatItPays, nextKnownNumber, readCounter } from '../money/payouts/claim-order.ts';
import {
  adoptBatch,
  closeBatch,
  noteForeignClaim,
  noteLandedSignature,
  reviveBatch,
} from '../money/payouts/payout-states.ts';
import type { Context } from '../platform/context.ts';
import { entries, LIVE_STATES } from '../platform/database/games.ts';
import { type BatchRow, type PayoutRow, payoutBatches, payouts } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';

/*
 * Money left a pool by a transaction that the books do not know: they were restored from a backup that is older, or the
 * key was used elsewhere. Until it is explained, the pool is short of the books and nothing more is paid out of it.
 */

type Landed = { readonly signature: string; readonly slot: bigint };
type Withdrawal = Landed & {
  readonly amount: bigint;
  readonly transaction: Parameters<typeof readClaim>[0];
};

/**
 * Books it if it is a claim that paid exactly what is owed to the same wallets, or if there are gifts in the pool to
 * charge it to. False if it stays unexplained for now.
 */
export async function explainWithdrawal(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  { transaction, amount, ...landed }: Withdrawal,
): Promise<boolean> {
  const { programId } = context.chain;
  const lobbyConfig = await findLobbyConfig(programId, lobby.chainLobbyId);
  const ordered = readOrderedClaims(transaction, programId, lobbyConfig);
  for (const claim of ordered) if (!(await bookOrdered(context, lobby, landed, claim))) return false;
  const rest = amount - sumOf(ordered);
  if (rest === 0n) return true;
  const claim = ordered.length === 0 ? readClaim(transaction, programId) : undefined;
  return bookUnordered(context, lobby, { ...landed, amount: rest }, claim);
}

async function bookUnordered(
  context: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  { signature, slot, amount }: Landed & { readonly amount: bigint },
  claim: Claim | undefined,
): Promise<boolean> {
  const named = transactionSignature(signature);
  return context.db.transaction(async (tx) => {
    // Under a lock, so that two workers do not both book it.
    const gifts = await lockBalance(tx, giftsOf(lobby.id));
    const key = `withdrawn:${lobby.id}:${named}`;
    if (await isPosted(tx, key)) return true;
    const batchId = claim?.batchId;
    const batch = batchId === undefined ? undefined : await findBatch(tx, batchId);
    // A batch that was open at the time of the backup finds its signature by itself, and is booked then.
    if (batch?.status === 'open') return false;
    const isAdopted =
      claim !== undefined &&
      batchId !== undefined &&
      batch === undefined &&
      sumOf([claim]) === amount &&
      (await adopt(context, tx, lobby, claim.payments, {
        id: batchId,
        number: null,
        signature: named,
        landedSlot: slot,
      }));
    if (isAdopted) return true;
    if (gifts < amount || (claim && (await isAnyonePaidEarly(tx, lobby, claim.payments)))) return false;
    await chargeToGifts(context, tx, lobby, { key, signature: named, amount });
    return true;
  });
}

async function bookOrdered(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  { signature, slot }: Landed,
  claim: OrderedClaim,
): Promise<boolean> {
  const { number, batchId, payments } = claim;
  const named = transactionSignature(signature);
  const isKnown = number < (await nextKnownNumber(context.db, lobby.id));
  // A node may show a claim that has not landed. The counter tells.
  if (!isKnown && ((await readCounter(context, lobby))?.nextNumber ?? 0n) <= number) return false;
  return context.db.transaction(async (tx) => {
    const gifts = await lockBalance(tx, giftsOf(lobby.id));
    const next = await nextKnownNumber(tx, lobby.id);
    const batch = await findBatch(tx, batchId);
    const isNamed = batch?.number === number && batch.lobbyId === lobby.id;
    if (number < next) {
      if (isNamed && batch.status === 'finalized') await noteLandedSignature(tx, batchId, named);
      return true;
    }
    // One after the other: the newest that is known stands for all before it.
    if (number > next) return false;
    // Who has stolen a payout key can name any batch.
    if (isNamed && isWhatItPays(batch, payments))
      return bookOwn(context, tx, batch, { signature: named, slot, number });
    const landed = {
      id: batch ? randomUUID() : batchId,
      number,
      signature: (await isSignatureKnown(tx, named)) ? null : named,
      landedSlot: slot,
    };
    if (!batch && (await adopt(context, tx, lobby, payments, landed))) return true;
    const amount = sumOf([claim]);
    if (gifts < amount || (await isAnyonePaidEarly(tx, lobby, payments))) return false;
    const key = `withdrawn:${lobby.id}:${named}:${number}`;
    await chargeToGifts(context, tx, lobby, { key, signature: named, amount });
    await noteForeignClaim(context, tx, { ...landed, lobbyId: lobby.id });
    return true;
  });
}

async function isSignatureKnown(tx: Database, signature: TransactionSignature): Promise<boolean> {
  return (await tx.$count(payoutBatches, eq(payoutBatches.signature, signature))) > 0;
}

async function findBatch(tx: Database, id: string): Promise<BatchRow | undefined> {
  const [batch] = await tx.select().from(payoutBatches).where(eq(payoutBatches.id, id));
  return batch;
}

/** A claim in order that the books know as open, as given up, or as made without its signature. */
async function bookOwn(
  context: Pick<Context, 'logger' | 'nowMs'>,
  tx: Database,
  batch: BatchRow,
  { signature, slot, number }: { signature: TransactionSignature; slot: bigint; number: bigint },
): Promise<boolean> {
  if (batch.status === 'open') await closeBatch(context, tx, batch, { kind: 'finalized', slot });
  else await reviveBatch(context, tx, batch.lobbyId, { number, lastBatchId: batch.id, slot });
  await noteLandedSignature(tx, batch.id, signature);
  return true;
}

async function adopt(
  context: Pick<Context, 'logger' | 'nowMs'>,
  tx: Database,
  lobby: PaidLobby,
  payments: Claim['payments'],
  landed: Omit<Parameters<typeof adoptBatch>[2], 'lobbyId'>,
): Promise<boolean> {
  const paid = await findOwed(tx, lobby, payments);
  if (!paid) return false;
  await adoptBatch(context, tx, { ...landed, lobbyId: lobby.id }, paid);
  const { id: batchId, signature } = landed;
  const payoutIds = paid.map(({ id }) => id);
  context.logger.warn(
    { code: 'CLAIM_ADOPTED', lobbyId: lobby.id, batchId, signature, payoutIds },
    'payouts had been made that the books did not know of',
  );
  return true;
}

/** One pending payout of the same wallet and amount for each payment, or undefined. */
async function findOwed(
  tx: Database,
  lobby: PaidLobby,
  payments: Claim['payments'],
): Promise<PayoutRow[] | undefined> {
  const pending = await tx
    .select()
    .from(payouts)
    .where(
      and(
        eq(payouts.lobbyId, lobby.id),
        eq(payouts.status, 'pending'),
        inArray(payouts.wallet, walletsOf(payments)),
      ),
    )
    .orderBy(asc(payouts.createdAt))
    .for('update');
  const found: PayoutRow[] = [];
  for (const { player, amount } of payments) {
    const index = pending.findIndex((payout) => isOwedTo(payout, player) && payout.amount === amount);
    if (index === -1) return undefined;
    found.push(...pending.splice(index, 1));
  }
  return found;
}

const isOwedTo = ({ wallet }: PayoutRow, player: Address) => (wallet as string) === player;

/** Whether the claim paid somebody whose entry is still open: it may be found to have paid that entry once it is settled. */
async function isAnyonePaidEarly(
  tx: Database,
  lobby: PaidLobby,
  payments: Claim['payments'],
): Promise<boolean> {
  const open = await tx
    .select({ id: entries.id })
    .from(entries)
    .innerJoin(users, eq(users.id, entries.userId))
    .where(
      and(
        eq(entries.lobbyId, lobby.id),
        inArray(entries.state, LIVE_STATES),
        inArray(users.walletAddress, walletsOf(payments)),
      ),
    );
  return open.length > 0;
}

const walletsOf = (payments: Claim['payments']) =>
  payments.map(({ player }) => player as string as PayoutRow['wallet']);

/** An operator makes good a loss by sending the amount to the pool, which is booked as a gift. */
async function chargeToGifts(
  { logger }: Pick<Context, 'logger'>,
  tx: Database,
  { id: lobbyId }: PaidLobby,
  { key, signature, amount }: { key: string; signature: TransactionSignature; amount: bigint },
): Promise<void> {
  const posting = { debit: giftsOf(lobbyId), credit: poolOf(lobbyId), amount };
  await post(tx, { key, lobbyId, postings: [posting] });
  logger.warn(
    { code: 'WITHDRAWAL_CHARGED_TO_GIFTS', lobbyId, signature, amount },
    'a transaction took money from the pool that the books do not know of; it is charged to gifts',
  );
}

export const sumOf = (claims: readonly Pick<Claim, 'payments'>[]) =>
  claims.flatMap(({ payments }) => payments).reduce((sum, { amount }) => sum + amount, 0n);
