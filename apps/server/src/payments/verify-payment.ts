import {
  verifyPayment as askChain,
  type PaymentRefusal,
  type PaymentVerdict,
} from '@engulf/chain/payments/verify-payment';
import { failure } from '@engulf/domain/errors/registry';
import { address, signature } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { findLobby, isPaid, type PaidLobby } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { entries, type PaymentRow, payments } from '../platform/database/games.ts';
import { acceptPayment, noteBlockHeight, refusePayment } from './decide-payment.ts';

/** Asks the chain once whether a payment is decided, and books it if so. Safe to repeat. */
export async function verifyPayment(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'traces' | 'nowMs'>,
  paymentId: string,
): Promise<void> {
  const [found] = await context.db
    .select({ row: payments, askedFor: entries.entryFee })
    .from(payments)
    .leftJoin(entries, eq(entries.id, payments.entryId))
    .where(eq(payments.id, paymentId));
  if (found?.row.status !== 'verifying') return;
  const { row, askedFor } = found;
  const refuse = (refusal: PaymentRefusal) =>
    context.db.transaction((tx) => refusePayment(context, tx, row.id, refusal));
  const lobby = await findLobby(context.db, row.lobbyId);
  if (!lobby || !isPaid(lobby)) {
    await refuse(failure('PAYMENT_DESTINATION_VERIFICATION_FAILED'));
    return;
  }
  // The price that the player was shown, even if it has changed since.
  const verdict = await judge(context, row, lobby, askedFor ?? lobby.entryFee);
  switch (verdict.kind) {
    case 'pending':
      return;
    case 'paid':
      await context.db.transaction((tx) => acceptPayment(context, tx, lobby, row.id, verdict));
      return;
    case 'refused':
      await refuse(verdict.failure);
  }
}

async function judge(
  context: Pick<Context, 'db' | 'chain' | 'logger'>,
  row: PaymentRow,
  lobby: PaidLobby,
  entryFee: bigint,
): Promise<PaymentVerdict> {
  const { chain } = context;
  const heardAtBlockHeight = row.heardAtBlockHeight ?? (await rememberHeight(context, row));
  if (heardAtBlockHeight === undefined) return { kind: 'pending', reason: 'node-failed' };
  return askChain({
    nodes: chain.nodes,
    signature: signature(row.signature),
    heardAtBlockHeight,
    expected: {
      programId: chain.programId,
      lobbyId: lobby.chainLobbyId,
      wallet: address(row.wallet),
      entryFee,
      tokenMint: lobby.tokenMint === null ? undefined : address(lobby.tokenMint),
    },
    // A signature has one row per wallet and lobby, and a row has one entry, so it cannot be used twice.
  });
}

/** The signature is older than this height, so judging its expiry by it errs on the side of waiting. */
async function rememberHeight(
  { chain, db, logger }: Pick<Context, 'db' | 'chain' | 'logger'>,
  row: PaymentRow,
): Promise<bigint | undefined> {
  try {
    const heardAtBlockHeight = await chain.rpc.getBlockHeight({ commitment: 'finalized' }).send();
    await noteBlockHeight(db, row, heardAtBlockHeight);
    return heardAtBlockHeight;
  } catch (error) {
    logger.warn({ code: 'NODE_UNAVAILABLE', err: error, paymentId: row.id }, 'the node did not answer');
    return undefined;
  }
}
