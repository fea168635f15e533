import type { Rules } from './rules.ts';

/**
 * The part of the world in which one can live: a square around its middle, with the water around it. It follows the
 * number of the living, so that few players meet as often as many.
 */
export type Tide = {
  /** Along one side of the square. */
  size: number;
  /** Where it is heading. */
  goal: number;
  /** The water comes in only from this tick on: it is announced. It goes out at once. */
  risesAtTick: number;
  /** The water waits, because it would touch somebody. */
  isHeld: boolean;
};

/** Sizes are multiples of this. */
const SIZE_STEP = 50;

export function hasTide({ tide, worldSize }: Rules): boolean {
  return tide.leastSize > 0 && tide.leastSize < worldSize;
}

export function createTide(rules: Rules): Tide {
  const size = tideSizeFor(rules, 0);
  return { size, goal: size, risesAtTick: 0, isHeld: false };
}

/**
 * The size for a number of living players: with the square root of their number, so that each has about as much room,
 * from `leastSize` up to the whole world.
 */
export function tideSizeFor(rules: Rules, living: number): number {
  const { worldSize } = rules;
  if (!hasTide(rules)) return worldSize;
  const { leastSize, leastPlayers, mostPlayers } = rules.tide;
  if (living >= mostPlayers) return worldSize;
  if (living <= leastPlayers) return Math.round(leastSize);
  const least = Math.sqrt(leastPlayers);
  const share = (Math.sqrt(living) - least) / (Math.sqrt(mostPlayers) - least);
  const size = leastSize + (worldSize - leastSize) * share;
  return Math.min(worldSize, Math.round(size / SIZE_STEP) * SIZE_STEP);
}

/** The rules that decide how fast the water moves. Every full snapshot carries them to the client. */
export type TideRules = Pick<Rules, 'stepsPerSecond'> & {
  readonly tide: Pick<Rules['tide'], 'risingSpeed' | 'fallingSpeed'>;
};

/** Moves the water by one step. The page predicts with this as well. */
export function moveTide(tide: Tide, rules: TideRules, tick: number): void {
  const { size, goal } = tide;
  if (size === goal) return;
  if (goal > size) {
    tide.size = Math.min(goal, size + (2 * rules.tide.fallingSpeed) / rules.stepsPerSecond);
  } else if (!tide.isHeld && tick >= tide.risesAtTick) {
    tide.size = Math.max(goal, size - (2 * rules.tide.risingSpeed) / rules.stepsPerSecond);
  }
}

/** What will stay dry: things that are meant to last are put there. */
export function lastingSize({ size, goal }: Tide): number {
  return Math.min(size, goal);
}

/** The coordinate at which a square of this size begins. It ends as far from the other side. */
export function shoreOf({ worldSize }: Rules, size: number): number {
  return (worldSize - size) / 2;
}

/** The share of the world that is dry. */
export function dryShare({ worldSize }: Rules, { size }: Tide): number {
  const share = size / worldSize;
  return share * share;
}
