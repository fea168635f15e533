/** A hand on a mouse, as an offset from the own cell: it wanders, trembles and now and then turns hard. */
export type Hand = {
  at(nowMs: number, own: { readonly x: number; readonly y: number }): { x: number; y: number };
  /** When it last turned hard. */
  readonly turnedMs: number;
};

type HandHabits = {
  readonly chance: () => number;
  readonly worldSize: number;
  readonly hasHardTurns: boolean;
};

const TURN_EVERY_MS = { min: 500, spread: 1_100 };
/** Radians. */
const TURN_BY = { min: Math.PI / 3, spread: (Math.PI * 2) / 3 };
const TREMBLE_WORLD = 3;
const REACH_WORLD = { mean: 420, swing: 160 };
/** Turns back in time before the border. */
const BORDER_WORLD = 900;

export function createHand({ chance, worldSize, hasHardTurns }: HandHabits): Hand {
  let angle = chance() * 2 * Math.PI;
  let lastMs = Number.NaN;
  let turnedMs = Number.NEGATIVE_INFINITY;
  let turnAtMs = Number.NaN;
  return {
    get turnedMs() {
      return turnedMs;
    },
    at(nowMs, own) {
      const elapsedS = Number.isNaN(lastMs) ? 0 : (nowMs - lastMs) / 1000;
      lastMs = nowMs;
      angle += elapsedS * (1.1 * Math.sin(nowMs / 640) + 0.7 * Math.sin(nowMs / 1_730));
      angle += elapsedS * 2 * homeward(own, angle, worldSize);
      if (Number.isNaN(turnAtMs)) turnAtMs = nowMs + 1_000;
      if (hasHardTurns && nowMs >= turnAtMs) {
        turnAtMs = nowMs + TURN_EVERY_MS.min + chance() * TURN_EVERY_MS.spread;
        turnedMs = nowMs;
        angle += (chance() < 0.5 ? -1 : 1) * (TURN_BY.min + chance() * TURN_BY.spread);
      }
      const reach = REACH_WORLD.mean + REACH_WORLD.swing * Math.sin(nowMs / 900);
      return {
        x: Math.cos(angle) * reach + (chance() - 0.5) * 2 * TREMBLE_WORLD,
        y: Math.sin(angle) * reach + (chance() - 0.5) * 2 * TREMBLE_WORLD,
      };
    },
  };
}

/** Which way to turn so as not to run into the border: −1, 0 or 1. */
function homeward({ x, y }: { x: number; y: number }, angle: number, worldSize: number): number {
  const far = worldSize - BORDER_WORLD;
  if (x > BORDER_WORLD && x < far && y > BORDER_WORLD && y < far) return 0;
  const home = Math.atan2(worldSize / 2 - y, worldSize / 2 - x);
  const off = Math.atan2(Math.sin(home - angle), Math.cos(home - angle));
  return Math.abs(off) < 0.3 ? 0 : Math.sign(off);
}
