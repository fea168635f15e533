import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import type { LobbyId, TransactionSignature } from '@engulf/domain/ids/entity-ids';
import { PAYMENT_POLL, type SIGNATURE_ALREADY_PROCESSED } from '@engulf/protocol/http/join-lobby';
import { and, count, desc, eq, inArray } from 'drizzle-orm';
import { type JoinAnswer, processingAnswer } from '../entries/entry-answers.ts';
import { advance } from '../entries/entry-states.ts';
import { findLobby, isPaid } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import {
  type EntryRow,
  entries,
  LIVE_STATES,
  type PaymentRow,
  payments,
  WAITING_STATES,
} from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import type { UserRow } from '../platform/database/people.ts';
import { findPayment, recordPayment } from './decide-payment.ts';
import { verifyPayment } from './verify-payment.ts';

type ConfirmRefusal = Failure<'DUPLICATE_TRANSACTION' | 'PAYMENT_SESSION_NOT_FOUND' | 'RATE_LIMITED'>;

/** As long as the client polls. After that the seat is given up, unless the chain has not decided yet. */
const DECIDED_WITHIN_MS = PAYMENT_POLL.everyMs * PAYMENT_POLL.maxAttempts;
/** Signatures cost nothing to make up, and each is looked up on the chain until it can no longer land. */
const MAX_VERIFYING_PER_WALLET = 3;

/**
 * A wallet claims that it paid. The worker finds out whether it did; until then the seat is held, and a made-up signature
 * is soon refused. Without a signature the payment is searched among the lobby's transactions, and the seat is held no
 * longer than an unpaid one.
 */
export async function confirmPayment(
  context: Pick<Context, 'db' | 'traces' | 'nowMs'>,
  user: UserRow,
  lobbyId: LobbyId,
  transactionHash: TransactionSignature | typeof SIGNATURE_ALREADY_PROCESSED,
): Promise<Result<JoinAnswer, ConfirmRefusal>> {
  const signature = transactionHash === 'True' ? undefined : transactionHash;
  const askedAtMs = context.nowMs();
  return context.db.transaction(async (tx) => {
    const lobby = await findLobby(tx, lobbyId);
    if (!lobby || !isPaid(lobby)) return refuse('PAYMENT_SESSION_NOT_FOUND');
    const entry = await lockNewestEntry(tx, user, lobbyId);
    if (!entry) return refuse('PAYMENT_SESSION_NOT_FOUND');
    const claimed = signature === undefined ? undefined : await claim(tx, entry, user, signature);
    if (claimed && !claimed.ok) return claimed;
    if (WAITING_STATES.includes(entry.state)) {
      const stateExpiresAt = claimed?.value.isNew
        ? new Date(context.nowMs() + DECIDED_WITHIN_MS)
        : entry.stateExpiresAt;
      await advance(tx, entry, 'payment_processing', { stateExpiresAt });
    }
    context.traces?.step(entry.id, 'claim payment', askedAtMs, { signature });
    return ok(processingAnswer(entry));
  });
}

/**
 * Checks a payment that was just claimed, because it is usually final already and its player is waiting. The worker
 * checks it as well, so nothing depends on this.
 */
export async function lookAtPayment(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'traces' | 'nowMs'>,
  user: UserRow,
  lobbyId: LobbyId,
  signature: TransactionSignature,
): Promise<void> {
  try {
    const payment = await findPayment(context.db, { signature, lobbyId, wallet: user.walletAddress, nth: 0 });
    if (payment) await verifyPayment(context, payment.id);
  } catch (error) {
    context.logger.warn(
      { code: 'VERIFICATION_POSTPONED', err: error, lobbyId, signature },
      'a payment could not be looked at; the worker will',
    );
  }
}

/** Even if the seat was given up in the meantime, the payment is verified and may bring it back. */
async function lockNewestEntry(tx: Database, user: UserRow, lobbyId: LobbyId): Promise<EntryRow | undefined> {
  const [entry] = await tx
    .select()
    .from(entries)
    .where(and(eq(entries.userId, user.id), eq(entries.lobbyId, lobbyId)))
    // The one that is live is the newest, even if the clock has been set back since.
    .orderBy(desc(inArray(entries.state, LIVE_STATES)), desc(entries.createdAt))
    .limit(1)
    .for('update');
  return entry;
}

/** The signature belongs to this entry, unless another entry claimed it first. */
async function claim(
  tx: Database,
  entry: EntryRow,
  user: UserRow,
  signature: TransactionSignature,
): Promise<Result<{ readonly isNew: boolean }, ConfirmRefusal>> {
  const key = { signature, lobbyId: entry.lobbyId, wallet: user.walletAddress, nth: 0 };
  const known = await findPayment(tx, key);
  if (!known && (await countVerifying(tx, user)) >= MAX_VERIFYING_PER_WALLET) return refuse('RATE_LIMITED');
  const payment: PaymentRow = known ?? (await recordPayment(tx, key, entry.id));
  return payment.entryId === entry.id ? ok({ isNew: !known }) : refuse('DUPLICATE_TRANSACTION');
}

async function countVerifying(tx: Database, user: UserRow): Promise<number> {
  const [row] = await tx
    .select({ count: count() })
    .from(payments)
    .where(and(eq(payments.status, 'verifying'), eq(payments.wallet, user.walletAddress)));
  return row!.count;
}
