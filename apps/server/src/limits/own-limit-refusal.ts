import { type Failure, failure } from '@engulf/domain/errors/registry';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import { currentLimit, depositedWithin, hasRoomFor, roomFromMs } from '@engulf/domain/limits/deposit-limit';
import { formatExactAmount } from '@engulf/domain/money/amount';
import { currencyOf } from '@engulf/domain/money/currency';
import { type PaidLobby, tokenOf } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';
import { readDeposits } from './deposits.ts';
import { lockUser, readBreak, readLimit } from './own-limits.ts';

export type OwnLimitRefusal = Failure<'ON_A_BREAK' | 'DEPOSIT_LIMIT_REACHED'>;

/**
 * Why the user's own limits forbid a new seat in a paid lobby, or one that a late payment would bring back. A seat that
 * the user already has is not checked: it may be paid for. Locks the user, so that the sum is still right when the seat is
 * taken.
 */
export async function ownLimitRefusal(
  context: Pick<Context, 'nowMs'>,
  tx: Database,
  userId: UserId,
  lobby: PaidLobby,
): Promise<OwnLimitRefusal | undefined> {
  await lockUser(tx, userId);
  const nowMs = context.nowMs();
  const breakUntil = await readBreak(tx, userId, nowMs);
  if (breakUntil) return failure('ON_A_BREAK', { until: breakUntil.toISOString() });
  const currency = currencyOf(lobby.tokenMint);
  const limit = await readLimit(tx, userId, currency);
  const { amount } = currentLimit(limit, nowMs);
  if (amount === null) return undefined;
  const deposits = (await readDeposits(tx, userId, nowMs)).get(currency) ?? [];
  if (hasRoomFor(lobby.entryFee, limit, deposits, nowMs)) return undefined;
  const deposited = depositedWithin(deposits, nowMs);
  const text = (units: bigint) => `${formatExactAmount(units, tokenOf(lobby))} ${lobby.tokenSymbol}`;
  const fromMs = roomFromMs(lobby.entryFee, limit, deposits, nowMs);
  return failure('DEPOSIT_LIMIT_REACHED', {
    limit: text(amount),
    left: text(deposited < amount ? amount - deposited : 0n),
    until: fromMs === undefined ? null : new Date(fromMs).toISOString(),
  });
}
