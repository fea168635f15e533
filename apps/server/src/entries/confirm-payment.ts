import { randomUUID } from 'node:crypto';
import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import type { LobbyId, TransactionSignature } from '@engulf/domain/ids/entity-ids';
import { PAYMENT_POLL } from '@engulf/protocol/http/join-lobby';
import { and, count, desc, eq } from 'drizzle-orm';
import type { UserRow } from '../accounts/user-rows.ts';
import { findLobby, isPaid } from '../lobbies/lobby-rows.ts';
import type { PaymentRow } from '../money/payments/decide-payment.ts';
import type { Context } from '../platform/context.ts';
import { entries, payments } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { type EntryRow, type JoinAnswer, processingAnswer } from './entry-answers.ts';

type ConfirmRefusal = Failure<'DUPLICATE_TRANSACTION' | 'PAYMENT_SESSION_NOT_FOUND' | 'RATE_LIMITED'>;

/** As long as the client asks. A node that answers later finds the payment refunded. */
const DECIDED_WITHIN_MS = PAYMENT_POLL.everyMs * PAYMENT_POLL.maxAttempts;
/** Signatures cost nothing to make up, and each is asked for on the chain until it can no longer land. */
const MAX_VERIFYING_PER_WALLET = 3;

/**
 * A wallet says that it paid. Whether it did, a job finds out; until then the seat is held: a signature that was
 * made up is soon refused. Without a signature the payment is looked for among the lobby's transactions, and the
 * seat is held no longer than for anyone who has not paid.
 */
export async function confirmPayment(
  context: Context,
  user: UserRow,
  lobbyId: LobbyId,
  signature: TransactionSignature | undefined,
): Promise<Result<JoinAnswer, ConfirmRefusal>> {
  return context.db.transaction(async (tx) => {
    const lobby = await findLobby(tx, lobbyId);
    if (!lobby || !isPaid(lobby)) return refuse('PAYMENT_SESSION_NOT_FOUND');
    const entry = await newestEntry(tx, user, lobbyId);
    if (!entry) return refuse('PAYMENT_SESSION_NOT_FOUND');
    const claimed =
      signature === undefined ? undefined : await claim(context, tx, { entry, user, signature });
    if (claimed && !claimed.ok) return claimed;
    if (entry.state !== 'created' && entry.state !== 'payment_processing') return ok(processingAnswer(entry));
    const stateExpiresAt = claimed?.value.isNew
      ? new Date(context.nowMs() + DECIDED_WITHIN_MS)
      : entry.stateExpiresAt;
    await tx
      .update(entries)
      .set({ state: 'payment_processing', stateExpiresAt })
      .where(eq(entries.id, entry.id));
    await context.jobs.nudge(tx, 'reconcile-lobby', lobbyId);
    return ok(processingAnswer(entry));
  });
}

/** The seat may have been given up in the meantime: then the payment is verified all the same, and refunded. */
async function newestEntry(tx: Database, user: UserRow, lobbyId: LobbyId): Promise<EntryRow | undefined> {
  const [entry] = await tx
    .select()
    .from(entries)
    .where(and(eq(entries.userId, user.id), eq(entries.lobbyId, lobbyId)))
    .orderBy(desc(entries.createdAt))
    .limit(1)
    .for('update');
  return entry;
}

/** The signature belongs to this entry, unless another was there first. */
async function claim(
  context: Context,
  tx: Database,
  { entry, user, signature }: { entry: EntryRow; user: UserRow; signature: TransactionSignature },
): Promise<Result<{ readonly isNew: boolean }, ConfirmRefusal>> {
  const { lobbyId } = entry;
  const key = { signature, lobbyId, wallet: user.walletAddress, nth: 0 };
  const known = await findPayment(tx, key);
  if (!known && (await countVerifying(tx, user)) >= MAX_VERIFYING_PER_WALLET) return refuse('RATE_LIMITED');
  const row = { ...key, id: randomUUID(), entryId: entry.id, status: 'verifying' } as const;
  if (!known) await tx.insert(payments).values(row).onConflictDoNothing();
  const payment = known ?? (await findPayment(tx, key))!;
  if (payment.status === 'verifying') await context.jobs.nudge(tx, 'verify-payment', payment.id);
  return payment.entryId === entry.id
    ? ok({ isNew: payment.id === row.id })
    : refuse('DUPLICATE_TRANSACTION');
}

async function findPayment(
  tx: Database,
  key: Pick<PaymentRow, 'signature' | 'lobbyId' | 'wallet' | 'nth'>,
): Promise<PaymentRow | undefined> {
  const [payment] = await tx
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.signature, key.signature),
        eq(payments.lobbyId, key.lobbyId),
        eq(payments.wallet, key.wallet),
        eq(payments.nth, key.nth),
      ),
    );
  return payment;
}

async function countVerifying(tx: Database, user: UserRow): Promise<number> {
  const [row] = await tx
    .select({ count: count() })
    .from(payments)
    .where(and(eq(payments.status, 'verifying'), eq(payments.wallet, user.walletAddress)));
  return row!.count;
}
