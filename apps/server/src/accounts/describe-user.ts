import { formatCut } from '@engulf/domain/money/amount';
import type { User } from '@engulf/protocol/user';
import type { Context } from '../platform/context.ts';
import { readRank } from '../stats/leaderboard.ts';
import type { UserRow } from './user-rows.ts';

export async function describeUser(context: Context, user: UserRow): Promise<User> {
  return {
    id: user.id,
    name: user.name,
    avatarUrl: user.avatarUrl,
    walletAddress: user.walletAddress,
    rank: await readRank(context, user.id),
    multiplier: Number(formatCut(BigInt(user.multiplierHundredths), 2, 2)),
    isTwitterConnected: false,
    referralCodeVerified: user.referralCode !== null,
    isRaffleWinner: user.isRaffleWinner,
    showGuide: false,
  };
}
