/*
 * The most that a player wants to pay in 24 hours, per currency, in base units. Null is no limit. A stricter limit applies
 * at once, a looser one a day later, so that the player can sleep on it.
 */

const DAY_MS = 24 * 3_600_000;
/** The time over which deposits are summed up. */
export const LIMIT_WINDOW_MS = DAY_MS;
/** How long a raised or removed limit waits. */
export const LIMIT_DELAY_MS = DAY_MS;

export const BREAK_DAYS = { min: 1, max: 30 } as const;

export type DepositLimit = {
  readonly amount: bigint | null;
  readonly pending?: { readonly amount: bigint | null; readonly fromMs: number } | undefined;
};

export const NO_LIMIT: DepositLimit = { amount: null };

/** Applies the pending limit once its time has come. */
export function currentLimit(limit: DepositLimit, nowMs: number): DepositLimit {
  const { pending } = limit;
  return pending && pending.fromMs <= nowMs ? { amount: pending.amount } : limit;
}

/** The latest wish counts: it replaces one that is still pending. */
export function changeLimit(limit: DepositLimit, wanted: bigint | null, nowMs: number): DepositLimit {
  const { amount, pending } = currentLimit(limit, nowMs);
  if (wanted === amount || isStricter(wanted, amount)) return { amount: wanted };
  // Asking for the same limit again does not restart the day.
  if (pending?.amount === wanted) return { amount, pending };
  return { amount, pending: { amount: wanted, fromMs: nowMs + LIMIT_DELAY_MS } };
}

function isStricter(limit: bigint | null, than: bigint | null): boolean {
  return limit !== null && (than === null || limit < than);
}

export type Deposit = { readonly amount: bigint; readonly atMs: number };

export function depositedWithin(deposits: readonly Deposit[], nowMs: number): bigint {
  return deposits.reduce(
    (sum, { amount, atMs }) => (atMs <= nowMs && nowMs < atMs + LIMIT_WINDOW_MS ? sum + amount : sum),
    0n,
  );
}

export function hasRoomFor(
  fee: bigint,
  limit: DepositLimit,
  deposits: readonly Deposit[],
  nowMs: number,
): boolean {
  const { amount } = currentLimit(limit, nowMs);
  return amount === null || depositedWithin(deposits, nowMs) + fee <= amount;
}

/** The first moment with room for the fee if nothing else is paid; undefined if it never comes. */
export function roomFromMs(
  fee: bigint,
  limit: DepositLimit,
  deposits: readonly Deposit[],
  nowMs: number,
): number | undefined {
  const changes = deposits.map(({ atMs }) => atMs + LIMIT_WINDOW_MS);
  if (limit.pending) changes.push(limit.pending.fromMs);
  return [nowMs, ...changes.filter((ms) => ms > nowMs).sort((a, b) => a - b)].find((ms) =>
    hasRoomFor(fee, limit, deposits, ms),
  );
}
