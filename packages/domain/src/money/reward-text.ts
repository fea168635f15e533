import { type BaseUnits, formatAmount, formatCut, type Token } from './amount.ts';

/** A player's reward as sent and shown: '0.618(x6.18)'. */
export function rewardText(reward: bigint, token: Token, basis: bigint): string {
  return `${formatAmount(reward, token)}(x${multiplierText(reward, basis)})`;
}

/** Splits a reward text into amount and multiplier, if it ends with one. */
export function parseRewardText(text: string): { amount: string; multiplier?: string } {
  const match = /^(.*?)\s*\(x(\d+(?:\.\d+)?)\)$/s.exec(text);
  if (!match) return { amount: text };
  return { amount: match[1]!, multiplier: match[2]! };
}

/** One notional dollar, in micro-dollars: the entry of a free lobby that names no other. */
const DEFAULT_FREE_LOBBY_ENTRY_USD = 1_000_000n as BaseUnits;

/**
 * What a reward is compared with: the entry fee of a paid lobby; in a free one, where the reward is in
 * micro-dollars, the notional dollar entry.
 */
export function multiplierBasis(lobby: {
  readonly entryFee: BaseUnits;
  readonly freeLobbyEntryUsd?: BaseUnits | undefined;
}): BaseUnits {
  if (lobby.entryFee > 0n) return lobby.entryFee;
  return lobby.freeLobbyEntryUsd || DEFAULT_FREE_LOBBY_ENTRY_USD;
}

/** Reward ÷ basis with two decimals, truncated: '6.18'. */
export function multiplierText(reward: bigint, basis: bigint): string {
  if (reward < 0n || basis <= 0n) {
    throw new RangeError(`a multiplier needs a reward and a positive basis, got ${reward} and ${basis}`);
  }
  return formatCut((reward * 100n) / basis, 2, 2);
}
