import { type Address, address } from '@solana/kit';
import type { BatchReward, Excess } from './signer.ts';

/** In base units of one token. */
export type Limits = {
  readonly payout: bigint;
  /** By one lobby within an hour. */
  readonly lobbyHour: bigint;
  /** By all lobbies within an hour. */
  readonly hour: bigint;
  /** By all lobbies within a day. */
  readonly day: bigint;
};

export type PayoutLimits = {
  readonly sol: Limits;
  /** By mint. Nothing is signed for tokens that are not listed. */
  readonly tokens: Readonly<Record<string, Limits>>;
};

/** What was signed within a time. */
export type Spent = { readonly byLobby: bigint; readonly inTotal: bigint };

const WRAPPED_SOL = address('So11111111111111111111111111111111111111112');

/** What the limits of a token are counted by. Null for SOL, wrapped or not. */
export function countedMint(mint: Address | undefined): Address | null {
  return mint === undefined || mint === WRAPPED_SOL ? null : mint;
}

export function limitsOf(limits: PayoutLimits, mint: Address | null): Limits | undefined {
  return mint === null ? limits.sol : limits.tokens[mint];
}

/** The rewards that exceed a limit, in the order of the batch. Later, smaller ones may still fit. */
export function findExcess(
  limits: Limits,
  spent: { readonly hour: Spent; readonly day: Spent },
  rewards: readonly BatchReward[],
): Excess[] {
  let added = 0n;
  const excess: Excess[] = [];
  for (const { payoutId, amount } of rewards) {
    const wanted = added + amount;
    const limit =
      amount > limits.payout
        ? 'payout'
        : spent.hour.byLobby + wanted > limits.lobbyHour
          ? 'lobby-hour'
          : spent.hour.inTotal + wanted > limits.hour
            ? 'hour'
            : spent.day.inTotal + wanted > limits.day
              ? 'day'
              : undefined;
    if (limit) excess.push({ payoutId, limit });
    else added = wanted;
  }
  return excess;
}
