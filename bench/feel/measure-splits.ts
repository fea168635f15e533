import { type Rules, rulesBeforeTide, standardRules } from '@engulf/sim/rules';
import { createHand } from './hand.ts';
import { createChance, type Line } from './line.ts';
import { percentile } from './percentile.ts';
import { place } from './placing.ts';
import { playSession, type Session } from './session.ts';

/** Cells merge soon, so that there is always something to split, and have room: at the shore they are pressed together. */
const RULES: Rules = {
  ...standardRules,
  tide: rulesBeforeTide.tide,
  viruses: { ...standardRules.viruses, count: 0 },
  merging: { minSeconds: 2.5, maxSeconds: 3, secondsPerMass: 0.01 },
};
const MASS = 600;
const SPLIT_EVERY_MS = 1_400;
/** Pieces fly through each other at first; after that they have to push. */
const SETTLED_AFTER_MS = 900;
/** Cells are neighbours when they are closer than this many times the sum of their radii. */
const NEIGHBOURS_WITHIN = 1.05;

type Circle = { readonly x: number; readonly y: number; readonly radius: number };

/** How long a split takes to be seen, and how much deeper cells overlap on the screen than in the room. */
export function measureSplits(line: Line, seed: number, seconds: number) {
  const waits: number[] = [];
  const shown: number[] = [];
  const inRoom: number[] = [];
  const hand = createHand({
    chance: createChance(seed + 9),
    worldSize: RULES.worldSize,
    hasHardTurns: false,
  });
  let pressedMs = Number.NEGATIVE_INFINITY;
  let nextMs = Number.NaN;
  let cellsBefore = 0;
  let isWaiting = false;
  let isFlying = false;

  playSession(
    { line, rules: RULES, seed, seconds },
    (world, player) => place(world, player, RULES.worldSize / 2, RULES.worldSize / 2, MASS),
    {
      pointer: (nowMs, { model }) => hand.at(nowMs, model.frame.own!),
      key(nowMs, { model, chance }) {
        if (Number.isNaN(nextMs)) nextMs = nowMs + 2_000;
        const own = model.frame.own!;
        if (nowMs < nextMs || own.cellCount > 8) return undefined;
        nextMs = nowMs + SPLIT_EVERY_MS * (0.7 + 0.6 * chance());
        pressedMs = nowMs;
        cellsBefore = own.cellCount;
        isWaiting = true;
        isFlying = true;
        return 'split';
      },
      onTick(session) {
        if (isFlying) return;
        inRoom.push(...overlaps(cellsInRoom(session)));
      },
      onFrame({ own, cells }, nowMs) {
        if (!own) return;
        if (isWaiting && own.cellCount > cellsBefore) {
          isWaiting = false;
          waits.push(nowMs - pressedMs);
        }
        isFlying = nowMs - pressedMs < SETTLED_AFTER_MS;
        if (!isFlying) shown.push(...overlaps(cells.filter(({ isOwn }) => isOwn)));
      },
    },
  );
  return { splitShownMs: percentile(waits, 0.5), overlapExcessPct: mean(shown) - mean(inRoom) };
}

/** The depth of each overlap of neighbours, in percent of the smaller one's diameter. */
function overlaps(cells: readonly Circle[]): number[] {
  return cells.flatMap((a, i) =>
    cells.slice(i + 1).flatMap((b) => {
      const touching = a.radius + b.radius;
      const distance = Math.hypot(a.x - b.x, a.y - b.y);
      if (distance > touching * NEIGHBOURS_WITHIN) return [];
      return [(Math.max(0, touching - distance) / (2 * Math.min(a.radius, b.radius))) * 100];
    }),
  );
}

function cellsInRoom({ world, slot }: Session): Circle[] {
  const { players, bodies, rules } = world;
  const first = slot * rules.maxCellsPerPlayer;
  return [...players.cells.subarray(first, first + players.cellCount[slot]!)].map((cell) => ({
    x: bodies.x[cell]!,
    y: bodies.y[cell]!,
    radius: bodies.radius[cell]!,
  }));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
