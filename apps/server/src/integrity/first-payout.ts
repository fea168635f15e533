import type { UserId } from '@engulf/domain/ids/entity-ids';
import { and, eq, min } from 'drizzle-orm';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import type { integrityLobbyRules } from '../platform/database/integrity.ts';
import { payouts } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';

const HOUR_MS = 3_600_000;
/** From so many times the price on, if the operator has not said otherwise. */
const LARGE_MULTIPLE = 5;

export type PayoutRules = Pick<
  typeof integrityLobbyRules.$inferSelect,
  'firstPayoutHours' | 'firstPayoutMultiple'
>;

/**
 * Until when a large payout waits, if the lobby asks for it; null if it does not wait. The wait counts from the first payout that
 * somebody was ever paid: a tiny one does not end it.
 */
export async function firstPayoutWaitsUntil(
  tx: Database,
  rules: PayoutRules | null,
  lobby: LobbyRow,
  { userId, amount }: { readonly userId: UserId; readonly amount: bigint },
  nowMs: number,
): Promise<Date | null> {
  if (!rules?.firstPayoutHours) return null;
  if (amount < lobby.entryFee * BigInt(rules.firstPayoutMultiple ?? LARGE_MULTIPLE)) return null;
  const [first] = await tx
    .select({ at: min(payouts.completedAt) })
    .from(payouts)
    .where(and(eq(payouts.userId, userId), eq(payouts.status, 'completed'), eq(payouts.isRefund, false)));
  const untilMs = (first?.at?.getTime() ?? nowMs) + rules.firstPayoutHours * HOUR_MS;
  return untilMs > nowMs ? new Date(untilMs) : null;
}
