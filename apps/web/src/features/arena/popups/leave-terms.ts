import { formatAmount, formatCut, parseAmount, USD } from '@engulf/domain/money/amount';
import { forfeitRefund, splitFee } from '@engulf/domain/money/bounty';
import { parseRewardText } from '@engulf/domain/money/reward-text';
import type { Lobby } from '@engulf/protocol/lobby';
import { standardRules } from '@engulf/sim/rules';
import { isFreeLobby } from '../../../shared/lobby-money.ts';

/** What leaving without a portal means at this moment. Amounts are for people, with their unit. */
export type LeaveTerms = {
  readonly isPlayMoney: boolean;
  readonly refund: string;
  readonly givenUp: string;
  readonly staysSeconds: number;
};

type Leaver = {
  readonly lobby: Pick<Lobby, 'entryFee' | 'tokenSymbol' | 'tokenDecimals'>;
  /** As the room sends it: '0.618(x6.18)'. */
  readonly reward: string | undefined;
  readonly mass: number | undefined;
  readonly platformFeeBasisPoints: number;
};

const MILLI = 1000;

/** Undefined while it is not known what the player carries. */
export function leaveTerms(leaver: Leaver): LeaveTerms | undefined {
  const { lobby, reward, mass, platformFeeBasisPoints } = leaver;
  const isPlayMoney = isFreeLobby(lobby);
  const token = isPlayMoney ? USD : { symbol: lobby.tokenSymbol, decimals: lobby.tokenDecimals };
  const bounty = reward === undefined ? undefined : parseAmount(parseRewardText(reward).amount, token);
  if (bounty === undefined || mass === undefined) return undefined;
  const refund = isPlayMoney
    ? 0n
    : forfeitRefund({
        bounty,
        stake: splitFee(BigInt(lobby.entryFee), platformFeeBasisPoints).stake,
        mass: Math.round(mass * MILLI),
        spawnMass: standardRules.spawn.mass * MILLI,
      });
  const text = (amount: bigint) =>
    isPlayMoney
      ? `$${formatCut(amount, token.decimals, 2)}`
      : `${formatAmount(amount, token)} ${token.symbol}`;
  return {
    isPlayMoney,
    refund: text(refund),
    givenUp: text(bounty - refund),
    staysSeconds: standardRules.departure.graceSeconds,
  };
}
