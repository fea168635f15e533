import { type Claim, readClaim } from '@engulf/chain/payouts/read-claim';
import { type TransactionSignature, transactionSignature } from '@engulf/domain/ids/entity-ids';
import type { Address } from '@solana/kit';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { PaidLobby } from '../lobbies/lobby-rows.ts';
import { giftsOf, poolOf } from '../money/ledger/accounts.ts';
import { isPosted, lockBalance, post } from '../money/ledger/post.ts';
import { nextKnownNumber, readNewestCounter } from '../money/payouts/claim-order.ts';
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

type Withdrawal = {
  readonly signature: string;
  readonly slot: bigint;
  readonly amount: bigint;
  readonly transaction: Parameters<typeof readClaim>[0];
};

/**
 * Books it if it is a claim that paid exactly what is owed to the same wallets, or if there are gifts in the pool to
 * charge it to. False if it stays unexplained for now.
 */
export async function explainWithdrawal(
  context: Context,
  lobby: PaidLobby,
  { signature, slot, amount, transaction }: Withdrawal,
): Promise<boolean> {
  const claim = readClaim(transaction, context.chain.programId);
  const named = transactionSignature(signature);
  const number = claim?.number ?? null;
  // A node may show a claim that has not landed. The counter tells, whichever node has the newest.
  if (number !== null && ((await readNewestCounter(context, lobby))?.nextNumber ?? 0n) <= number)
    return false;
  return context.db.transaction(async (tx) => {
    // Under a lock, so that two workers do not both book it.
    const gifts = await lockBalance(tx, giftsOf(lobby.id));
    const key = `withdrawn:${lobby.id}:${named}`;
    if (await isPosted(tx, key)) return true;
    // One after the other: the newest that is known stands for all before it.
    if (number !== null && number > (await nextKnownNumber(tx, lobby.id))) return false;
    const batchId = claim?.batchId;
    const batch = batchId === undefined ? undefined : await findBatch(tx, batchId);
    if (batch && number !== null && batch.number === number && batch.lobbyId === lobby.id)
      return bookOwn(context, tx, batch, { signature: named, slot, number });
    // A batch that was open at the time of the backup finds its signature by itself, and is booked then.
    if (batch?.status === 'open') return false;
    const isAdopted =
      claim !== undefined &&
      batchId !== undefined &&
      batch === undefined &&
      sumOf(claim) === amount &&
      (await adopt(context, tx, lobby, { id: batchId, signature: named, slot, claim }));
    if (isAdopted) return true;
    if (gifts < amount || (claim && (await isAnyonePaidEarly(tx, lobby, claim)))) return false;
    await chargeToGifts(context, tx, lobby, { key, signature: named, amount });
    if (number !== null && batchId !== undefined && !batch) {
      const landed = { id: batchId, lobbyId: lobby.id, number, signature: named, landedSlot: slot };
      await noteForeignClaim(context, tx, landed);
    }
    return true;
  });
}

async function findBatch(tx: Database, id: string): Promise<BatchRow | undefined> {
  const [batch] = await tx.select().from(payoutBatches).where(eq(payoutBatches.id, id));
  return batch;
}

/** A claim in order that the books know as open, as given up, or as made without its signature. */
async function bookOwn(
  context: Context,
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
  context: Context,
  tx: Database,
  lobby: PaidLobby,
  { id, signature, slot, claim }: { id: string; signature: TransactionSignature; slot: bigint; claim: Claim },
): Promise<boolean> {
  const paid = await findOwed(tx, lobby, claim);
  if (!paid) return false;
  await adoptBatch(
    context,
    tx,
    { id, lobbyId: lobby.id, number: claim.number ?? null, signature, landedSlot: slot },
    paid,
  );
  context.logger.warn(
    {
      code: 'CLAIM_ADOPTED',
      lobbyId: lobby.id,
      batchId: id,
      signature,
      payoutIds: paid.map((payout) => payout.id),
    },
    'payouts had been made that the books did not know of',
  );
  return true;
}

/** One pending payout of the same wallet and amount for each payment, or undefined. */
async function findOwed(tx: Database, lobby: PaidLobby, claim: Claim): Promise<PayoutRow[] | undefined> {
  const pending = await tx
    .select()
    .from(payouts)
    .where(
      and(
        eq(payouts.lobbyId, lobby.id),
        eq(payouts.status, 'pending'),
        inArray(payouts.wallet, walletsOf(claim)),
      ),
    )
    .orderBy(asc(payouts.createdAt))
    .for('update');
  const found: PayoutRow[] = [];
  for (const { player, amount } of claim.payments) {
    const index = pending.findIndex((payout) => isOwedTo(payout, player) && payout.amount === amount);
    if (index === -1) return undefined;
    found.push(...pending.splice(index, 1));
  }
  return found;
}

const isOwedTo = ({ wallet }: PayoutRow, player: Address) => (wallet as string) === player;

/** Whether the claim paid somebody whose entry is still open: it may be found to have paid that entry once it is settled. */
async function isAnyonePaidEarly(tx: Database, lobby: PaidLobby, claim: Claim): Promise<boolean> {
  const open = await tx
    .select({ id: entries.id })
    .from(entries)
    .innerJoin(users, eq(users.id, entries.userId))
    .where(
      and(
        eq(entries.lobbyId, lobby.id),
        inArray(entries.state, LIVE_STATES),
        inArray(users.walletAddress, walletsOf(claim)),
      ),
    );
  return open.length > 0;
}

const walletsOf = ({ payments }: Claim) =>
  payments.map(({ player }) => player as string as PayoutRow['wallet']);

/** An operator makes good a loss by sending the amount to the pool, which is booked as a gift. */
async function chargeToGifts(
  { logger }: Context,
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

const sumOf = ({ payments }: Claim) => payments.reduce((sum, { amount }) => sum + amount, 0n);
