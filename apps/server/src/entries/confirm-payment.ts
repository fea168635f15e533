import { randomUUID } from 'node:crypto';
import { PAYMENT_POLL } from '@engulf/domain/entry-flow';
import { type Failure, refuse } from '@engulf/domain/error-registry';
import type { LobbyId, TransactionSignature } from '@engulf/domain/ids';
import { ok, type Result } from '@engulf/domain/result';
import { and, desc, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { entries, payments } from '../database/games.ts';
import type { Database } from '../database/open-database.ts';
import type { UserRow } from '../profile/user-rows.ts';
import { type EntryRow, type JoinAnswer, processingAnswer } from './entry-answers.ts';

/** As long as the client asks. A node that answers later finds the payment refunded. */
const DECIDED_WITHIN_MS = PAYMENT_POLL.everyMs * PAYMENT_POLL.maxAttempts;

/**
 * A wallet says that it paid. Whether it did, a job finds out; until then the seat is held. Without a signature
 * the payment is looked for among the lobby's transactions.
 */
export async function confirmPayment(
  context: Context,
  user: UserRow,
  lobbyId: LobbyId,
  signature: TransactionSignature | undefined,
): Promise<Result<JoinAnswer, Failure<'DUPLICATE_TRANSACTION' | 'PAYMENT_SESSION_NOT_FOUND'>>> {
  return context.db.transaction(async (tx) => {
    const entry = await newestEntry(tx, user, lobbyId);
    if (!entry) return refuse('PAYMENT_SESSION_NOT_FOUND');
    if (signature !== undefined) {
      const claimant = await claim(context, tx, { entry, user, signature });
      if (claimant !== entry.id) return refuse('DUPLICATE_TRANSACTION');
    }
    if (entry.state !== 'created') return ok(processingAnswer(entry));
    const stateExpiresAt = new Date(context.nowMs() + DECIDED_WITHIN_MS);
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

/** The entry that the signature belongs to: this one, unless another was there first. */
async function claim(
  context: Context,
  tx: Database,
  { entry, user, signature }: { entry: EntryRow; user: UserRow; signature: TransactionSignature },
): Promise<string | null> {
  const id = randomUUID();
  const { lobbyId } = entry;
  await tx
    .insert(payments)
    .values({ id, signature, lobbyId, wallet: user.walletAddress, entryId: entry.id, status: 'verifying' })
    .onConflictDoNothing();
  const [payment] = await tx
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.signature, signature),
        eq(payments.lobbyId, lobbyId),
        eq(payments.wallet, user.walletAddress),
        eq(payments.nth, 0),
      ),
    );
  if (payment!.status === 'verifying') await context.jobs.nudge(tx, 'verify-payment', payment!.id);
  return payment!.entryId;
}
