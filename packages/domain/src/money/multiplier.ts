import type { BaseUnits } from './amount.ts';
import { formatCut } from './amount.ts';

/** One notional dollar, in micro-dollars: what a free entry counts as when the lobby does not say. */
export const DEFAULT_FREE_LOBBY_ENTRY_USD = 1_000_000n as BaseUnits;

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
