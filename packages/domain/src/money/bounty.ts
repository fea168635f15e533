import type { BaseUnits } from './amount.ts';

/*
 * How an entry fee becomes a bounty, and how bounties move, in integers only. The simulation and the server's
 * ledger both call these functions, so that they agree to the last unit. Every division rounds towards zero:
 * the remainder stays with its holder, and nothing is created.
 *
 * Masses are integer milli-mass. Arguments are plain `bigint`, so that a simulation that keeps its bounties
 * in arrays need not brand each one.
 */

const ALL_BASIS_POINTS = 10_000;

/**
 * How the on-chain program divides an entry fee: the platform's part is rounded down, the rest is the stake.
 */
export function splitFee(
  fee: bigint,
  platformFeeBasisPoints: number,
): { treasury: BaseUnits; stake: BaseUnits } {
  requireAmount(fee, 'fee');
  if (!isBasisPoints(platformFeeBasisPoints)) {
    throw new RangeError(
      `a platform fee is 0 to ${ALL_BASIS_POINTS} basis points, got ${platformFeeBasisPoints}`,
    );
  }
  const treasury = (fee * BigInt(platformFeeBasisPoints)) / BigInt(ALL_BASIS_POINTS);
  return { treasury: treasury as BaseUnits, stake: (fee - treasury) as BaseUnits };
}

/** What the eater of one cell gets. The last cell (cellMass = totalMass) brings the whole bounty. */
export function eatenShare(bounty: bigint, cellMass: number, totalMass: number): BaseUnits {
  requireAmount(bounty, 'bounty');
  requireMass(cellMass, 'cellMass');
  requireMass(totalMass, 'totalMass');
  if (totalMass === 0 || cellMass > totalMass) {
    throw new RangeError(`a cell of mass ${cellMass} cannot belong to a player of mass ${totalMass}`);
  }
  return ((bounty * BigInt(cellMass)) / BigInt(totalMass)) as BaseUnits;
}

/**
 * What a player who leaves without a portal gets back: at most its stake, and less if it has shrunk below the
 * mass it spawned with. The rest of the bounty spills (see `spillShare`).
 */
export function forfeitRefund(leaver: {
  readonly bounty: bigint;
  readonly stake: bigint;
  readonly mass: number;
  readonly spawnMass: number;
}): BaseUnits {
  const { bounty, stake, mass, spawnMass } = leaver;
  requireAmount(bounty, 'bounty');
  requireAmount(stake, 'stake');
  requireMass(mass, 'mass');
  requireMass(spawnMass, 'spawnMass');
  if (spawnMass === 0) throw new RangeError('spawnMass must be positive');
  const refundable = bounty < stake ? bounty : stake;
  const countedMass = Math.min(mass, spawnMass);
  return ((refundable * BigInt(countedMass)) / BigInt(spawnMass)) as BaseUnits;
}

/** An equal share for each living player. The remainder, or all of it when nobody lives, stays in the pot. */
export function spillShare(pot: bigint, livingCount: number): { each: BaseUnits; remainder: BaseUnits } {
  requireAmount(pot, 'pot');
  if (!Number.isSafeInteger(livingCount) || livingCount < 0) {
    throw new RangeError(`livingCount must be a whole number of players, got ${livingCount}`);
  }
  if (livingCount === 0) return { each: 0n as BaseUnits, remainder: pot as BaseUnits };
  const count = BigInt(livingCount);
  return { each: (pot / count) as BaseUnits, remainder: (pot % count) as BaseUnits };
}

function requireAmount(amount: bigint, name: string): void {
  if (amount < 0n) throw new RangeError(`${name} must not be negative, got ${amount}`);
}

function requireMass(mass: number, name: string): void {
  if (!Number.isSafeInteger(mass) || mass < 0) {
    throw new RangeError(`${name} must be a whole, non-negative milli-mass, got ${mass}`);
  }
}

function isBasisPoints(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= ALL_BASIS_POINTS;
}
