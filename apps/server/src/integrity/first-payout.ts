import type { UserId } from '@engulf/domain/ids/entity-ids';
import { and, eq } from 'drizzle-orm';
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

/** Until when somebody's first payout waits, if it is a large one and the lobby asks for it; null if it does not wait. */
export async function firstPayoutWaitsUntil(
  tx: Database,
  rules: PayoutRules | null,
  lobby: LobbyRow,
  { userId, amount }: { readonly userId: UserId; readonly amount: bigint },
  nowMs: number,
): Promise<Date | null> {
  if (!rules?.firstPayoutHours) return null;
  if (amount < lobby.entryFee * BigInt(rules.firstPayoutMultiple ?? LARGE_MULTIPLE)) return null;
  const [earlier] = await tx
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.userId, userId), eq(payouts.status, 'completed'), eq(payouts.isRefund, false)))
    .limit(1);
  return earlier ? null : new Date(nowMs + rules.firstPayoutHours * HOUR_MS);
}
