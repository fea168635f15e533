import { applyCommand } from '@engulf/sim/commands';
import { copierOf, createOwnWorld, OWN_PLAYER, type OwnCellRules, stepOwnCells } from '@engulf/sim/own-cells';
import { playerId } from '@engulf/sim/players';
import type { World } from '@engulf/sim/world';
import type { Pose } from '../playout/motion.ts';
import type { Input } from './inputs.ts';

/** The own cells as the room last had them, and as it will have them. */
export type OwnWorlds = {
  readonly known: World;
  /** The known world, stepped on with the inputs that it does not include yet. */
  readonly ahead: World;
  readonly copyKnown: () => void;
  /** `ahead` before its last step: the slots of its cells, and where they were. */
  slotsBefore: readonly number[];
  readonly beforeX: Float64Array;
  readonly beforeY: Float64Array;
};

export function createOwnWorlds(rules: OwnCellRules): OwnWorlds {
  const known = createOwnWorld(rules);
  const ahead = createOwnWorld(rules);
  return {
    known,
    ahead,
    copyKnown: copierOf(known, ahead),
    slotsBefore: [],
    beforeX: new Float64Array(known.bodies.x.length),
    beforeY: new Float64Array(known.bodies.y.length),
  };
}

export function ownSlots({ players }: World): Int32Array {
  return players.cells.subarray(0, players.cellCount[OWN_PLAYER]!);
}

/** Steps the known world on to `tick` with the inputs that the room has taken on the way. */
export function advanceKnown(
  world: World,
  tick: number,
  taken: readonly Input[],
  tickOf: (input: Input) => number,
): void {
  let next = 0;
  while (world.clock.tick < tick) {
    const stepTo = world.clock.tick + 1;
    for (; next < taken.length && (stepTo === tick || tickOf(taken[next]!) <= stepTo); next++) {
      applyInput(world, taken[next]!);
    }
    stepOwnCells(world);
  }
}

/** Steps `ahead` from the known state to the first tick at or after `target`. */
export function stepAhead(
  worlds: OwnWorlds,
  target: number,
  waiting: readonly Input[],
  tickOf: (input: Input) => number,
): void {
  const { ahead, beforeX, beforeY } = worlds;
  worlds.copyKnown();
  worlds.slotsBefore = [];
  let next = 0;
  while (ahead.clock.tick < target) {
    const stepTo = ahead.clock.tick + 1;
    for (; next < waiting.length && tickOf(waiting[next]!) <= stepTo; next++) {
      applyInput(ahead, waiting[next]!);
    }
    if (stepTo >= target) {
      beforeX.set(ahead.bodies.x);
      beforeY.set(ahead.bodies.y);
      worlds.slotsBefore = [...ownSlots(ahead)];
    }
    stepOwnCells(ahead);
  }
}

/** Where a cell of `ahead` is while `rest`, a part of the last step, is still to come. */
export function poseAhead(
  { ahead, slotsBefore, beforeX, beforeY }: OwnWorlds,
  slot: number,
  rest: number,
): Pose {
  const { x, y, radius, boostX, boostY } = ahead.bodies;
  const pose = { x: x[slot]!, y: y[slot]!, radius: radius[slot]! };
  if (rest <= 0) return pose;
  const { stepSeconds, boostKeptPerStep } = ahead.stepRules;
  // A cell that was divided off in this step began where its launch did.
  const isNew = !slotsBefore.includes(slot);
  const launched = stepSeconds / boostKeptPerStep;
  const fromX = isNew ? pose.x - boostX[slot]! * launched : beforeX[slot]!;
  const fromY = isNew ? pose.y - boostY[slot]! * launched : beforeY[slot]!;
  pose.x += (fromX - pose.x) * rest;
  pose.y += (fromY - pose.y) * rest;
  return pose;
}

function applyInput(world: World, { type, x, y }: Input): void {
  const player = playerId(world.players, OWN_PLAYER);
  if (type === 'steer') applyCommand(world, { type, player, x, y });
  else if (type === 'split') applyCommand(world, { type, player });
}
