import { type Applied, applyCommand } from '../commands.ts';
import type { ArenaEvent } from '../events.ts';
import { hashState, saveWorld } from '../snapshot.ts';
import { step } from '../step.ts';
import type { World } from '../world.ts';
import { isSame } from './frames.ts';
import { hashLogged, type InputLog, logCommand, logStep } from './input-log.ts';
import type { InputStatement } from './input-statement.ts';
import type { Segment } from './segment.ts';
import { tickMark } from './tick-mark.ts';

/** The first tick at which a recording is not what the arena does. */
export type Difference = { readonly tick: number; readonly what: string };

export type WatchEvents = (events: readonly ArenaEvent[], world: World) => void;

/** What players have signed, beside the hash of what was recorded of it; undefined if it speaks of anything else. */
export type WatchInputs = {
  readonly log: InputLog;
  onStatement(statement: InputStatement, rowsHash: Uint8Array | undefined): void;
};

/** A segment that is being played on a world, step by step. */
export type SegmentPlayer = {
  readonly segment: Segment;
  /** How many of its steps have been taken. */
  steps: number;
  nextCommand: number;
  /** Of each track, the next point. */
  readonly nextPoint: number[];
  readonly inputs: WatchInputs | undefined;
};

export function playSegment(segment: Segment, inputs?: WatchInputs): SegmentPlayer {
  return { segment, steps: 0, nextCommand: 0, nextPoint: segment.tracks.map(() => 0), inputs };
}

export function hasSteps({ segment, steps }: SegmentPlayer): boolean {
  return steps < segment.tickCount;
}

/** Plays a whole segment on a world that stands at its start. Undefined if everything fits. */
export function replaySegment(
  world: World,
  segment: Segment,
  watch?: WatchEvents,
  inputs?: WatchInputs,
): Difference | undefined {
  const { tick } = world.clock;
  if (segment.startTick !== tick) return { tick, what: `the segment begins at tick ${segment.startTick}` };
  if (segment.keyframe && !isSame(segment.keyframe, saveWorld(world))) {
    return { tick, what: 'the keyframe is not the state' };
  }
  const player = playSegment(segment, inputs);
  while (hasSteps(player)) {
    const difference = stepSegment(world, player, watch);
    if (difference) return difference;
  }
  return finishSegment(world, player, watch);
}

/** Takes the next step of a segment. */
export function stepSegment(
  world: World,
  player: SegmentPlayer,
  watch?: WatchEvents,
): Difference | undefined {
  const { tracks, marks } = player.segment;
  const { tick } = world.clock;
  const refusal = commandAll(world, player);
  if (refusal) return refusal;
  for (let index = 0; index < tracks.length; index++) {
    const { player: steered, after, x, y } = tracks[index]!;
    const point = player.nextPoint[index]!;
    if (after[point] !== player.steps) continue;
    player.nextPoint[index]!++;
    const applied = applyCommand(world, { type: 'steer', player: steered, x: x[point]!, y: y[point]! });
    if (!applied.ok) return refused(world, 'pointer', applied);
  }
  if (player.inputs) logStep(player.inputs.log, world);
  const events = step(world);
  watch?.(events, world);
  if (world.clock.tick === tick) return { tick, what: 'the match has ended before' };
  const isRight = tickMark(world) === marks[player.steps++];
  return isRight ? undefined : { tick: tick + 1, what: 'the state differs' };
}

/** After the last step of a segment: what was commanded then, and the hash of the state. */
export function finishSegment(
  world: World,
  player: SegmentPlayer,
  watch?: WatchEvents,
): Difference | undefined {
  const { clock } = world;
  const refusal = commandAll(world, player);
  if (refusal) return refusal;
  // An ended world reports what ended it.
  if (clock.isEnded) {
    const events = step(world);
    watch?.(events, world);
  }
  const { startTick, stateHash } = player.segment;
  if (isSame(stateHash, hashState(saveWorld(world)))) return undefined;
  return { tick: clock.tick, what: `the hash of the state differs since tick ${startTick}` };
}

function commandAll(world: World, player: SegmentPlayer): Difference | undefined {
  const { commands } = player.segment;
  for (; commands[player.nextCommand]?.after === player.steps; player.nextCommand++) {
    const { command } = commands[player.nextCommand]!;
    const applied = applyCommand(world, command);
    if (!applied.ok) return refused(world, 'command', applied);
    if (!player.inputs) continue;
    if (command.type === 'inputs') player.inputs.onStatement(command, hashLogged(player.inputs.log, command));
    else logCommand(player.inputs.log, world, command);
  }
  return undefined;
}

function refused({ clock }: World, what: string, applied: Extract<Applied, { ok: false }>): Difference {
  return { tick: clock.tick, what: `a recorded ${what} is refused: ${applied.refusal}` };
}
