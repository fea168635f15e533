import type { ListedTransaction } from '@engulf/chain/node/lobby-history';
import { type LobbyId, transactionSignature } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { unreadableTransactions } from '../platform/database/money.ts';

const RETRY_AFTER_MS = 5_000;
const MAX_RETRY_AFTER_MS = 3_600_000;
/** A node may need a moment to show what it lists. */
const ALARM_AFTER_ATTEMPTS = 3;

/**
 * Puts a transaction aside so that the rest of the lobby is not held up, and retries it with a growing delay. It may
 * contain a payment, so it is never dropped.
 */
export async function noteUnreadable(
  { db, logger, nowMs }: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  lobbyId: LobbyId,
  { signature, slot }: ListedTransaction,
  reason: string,
): Promise<void> {
  const now = new Date(nowMs());
  const { attempts, retryAt } = unreadableTransactions;
  const delayMs = sql`least(${RETRY_AFTER_MS} * 2 ^ least(${attempts}, 20), ${MAX_RETRY_AFTER_MS})`;
  const [row] = await db
    .insert(unreadableTransactions)
    .values({
      signature: transactionSignature(signature),
      lobbyId,
      slot,
      attempts: 1,
      reason,
      firstSeenAt: now,
      retryAt: new Date(nowMs() + RETRY_AFTER_MS),
    })
    .onConflictDoUpdate({
      target: [unreadableTransactions.lobbyId, unreadableTransactions.signature],
      set: {
        attempts: sql`${attempts} + 1`,
        reason,
        retryAt: sql`${now.toISOString()}::timestamptz + ${delayMs} * interval '1 millisecond'`,
      },
    })
    .returning({ attempts, retryAt });
  if (row!.attempts < ALARM_AFTER_ATTEMPTS) return;
  logger.error(
    { code: 'TRANSACTION_UNREADABLE', lobbyId, signature, slot, ...row, reason },
    'a transaction on a lobby cannot be read; it is put aside and retried',
  );
}
