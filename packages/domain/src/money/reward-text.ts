import { type BaseUnits, formatAmount, formatCut, type Token } from './amount.ts';

/** What a player's reward reads like on the wire and on screen: '0.618(x6.18)'. */
export function rewardText(reward: bigint, token: Token, basis: bigint): string {
  return `${formatAmount(reward, token)}(x${multiplierText(reward, basis)})`;
}

/** Takes a reward text apart; the multiplier, when the text ends with one, is what the badge shows. */
export function parseRewardText(text: string): { amount: string; multiplier?: string } {
  const match = /^(.*?)\s*\(x(\d+(?:\.\d+)?)\)$/s.exec(text);
  if (!match) return { amount: text };
  return { amount: match[1]!, multiplier: match[2]! };
}

/** One notional dollar, in micro-dollars: what a free entry counts as when the lobby does not say. */
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

/** Reward ÷ basis with two decimals, cut off: '6.18'. */
export function multiplierText(reward: bigint, basis: bigint): string {
  if (reward < 0n || basis <= 0n) {
    throw new RangeError(`a multiplier needs a reward and a positive basis, got ${reward} and ${basis}`);
  }
  return formatCut((reward * 100n) / basis, 2, 2);
}
