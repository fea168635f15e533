import type { BaseUnits } from './amount.ts';

const ALL_BASIS_POINTS = 10_000;

export function isBasisPoints(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= ALL_BASIS_POINTS;
}

/** How the program divides an entry fee: the platform's part is cut down, the stake takes the rest. */
export function splitFee(
  fee: bigint,
  platformFeeBasisPoints: number,
): { treasury: BaseUnits; stake: BaseUnits } {
  if (fee < 0n) throw new RangeError(`a fee must not be negative, got ${fee}`);
  if (!isBasisPoints(platformFeeBasisPoints)) {
    throw new RangeError(
      `a platform fee is 0 to ${ALL_BASIS_POINTS} basis points, got ${platformFeeBasisPoints}`,
    );
  }
  const treasury = (fee * BigInt(platformFeeBasisPoints)) / BigInt(ALL_BASIS_POINTS);
  return { treasury: treasury as BaseUnits, stake: (fee - treasury) as BaseUnits };
}
