import type { Address } from '@solana/kit';
import type { BatchReward, Excess } from './signer.ts';

/** In base units of one token. */
export type Limits = {
  readonly payout: bigint;
  /** By one lobby within an hour. */
  readonly lobbyHour: bigint;
  /** By all lobbies within an hour. */
  readonly hour: bigint;
};

export type PayoutLimits = {
  readonly sol: Limits;
  /** Tokens that are not listed have no limit. */
  readonly tokens: Readonly<Record<string, Limits>>;
};

/** What was signed within the last hour. */
export type Spent = { readonly byLobby: bigint; readonly inTotal: bigint };

export function limitsOf(limits: PayoutLimits, mint: Address | undefined): Limits | undefined {
  return mint === undefined ? limits.sol : limits.tokens[mint];
}

/** The rewards that exceed a limit, in the order of the batch. Later, smaller ones may still fit. */
export function findExcess(limits: Limits, spent: Spent, rewards: readonly BatchReward[]): Excess[] {
  let added = 0n;
  const excess: Excess[] = [];
  for (const { payoutId, amount } of rewards) {
    const wanted = added + amount;
    const limit =
      amount > limits.payout
        ? 'payout'
        : spent.byLobby + wanted > limits.lobbyHour
          ? 'lobby-hour'
          : spent.inTotal + wanted > limits.hour
            ? 'hour'
            : undefined;
    if (limit) excess.push({ payoutId, limit });
    else added = wanted;
  }
  return excess;
}
