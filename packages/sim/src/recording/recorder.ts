import { type Applied, applyCommand } from '../commands.ts';
import { createWorld, type WorldOptions } from '../create-world.ts';
import { isEpochOver } from '../epochs.ts';
import type { ArenaEvent } from '../events.ts';
import { findPlayer, type PlayerId, playerId } from '../players.ts';
import { quantisePointer } from '../pointer.ts';
import { hashState, saveWorld } from '../snapshot.ts';
import { step } from '../step.ts';
import type { World } from '../world.ts';
import type { RecordedCommand } from './command-bytes.ts';
import { createInputLog, type InputLog, logCommand, logStep } from './input-log.ts';
import { type Segment, writeSegment } from './segment.ts';
import { tickMark } from './tick-mark.ts';

/** How long a segment is, and how far apart keyframes are. */
const SEGMENT_SECONDS = 5;
const KEYFRAME_SECONDS = 60;

/**
 * A match that is played and recorded. What has been recorded leaves in segments, so that memory does not grow with the
 * match and a killed process loses a few seconds.
 */
export type RecordedMatch = {
  readonly world: World;
  readonly pointers: Pointers;
  readonly emit: (segment: Uint8Array) => void;
  /** What claims of players are held against. */
  readonly inputs: InputLog;
  open: OpenSegment;
  /** Buffers of earlier segments, reused because they live for seconds, which is bad for the garbage collector. */
  readonly spareTracks: OpenTrack[];
  lastKeyframeTick: number;
  /** Until somebody has joined, there is nothing to prove and nothing leaves. */
  hasJoined: boolean;
};

/** Where players have pointed since the last step, by slot; NaN for those who have not. */
type Pointers = { readonly x: Float64Array; readonly y: Float64Array };

type OpenSegment = {
  readonly startTick: number;
  readonly keyframe: Uint8Array | undefined;
  readonly commands: { readonly after: number; readonly command: RecordedCommand }[];
  readonly tracks: Map<PlayerId, OpenTrack>;
  /** One for each step so far. */
  readonly marks: number[];
};

/** Columns with room for `count` and more. */
type OpenTrack = { count: number; after: Int32Array; x: Int32Array; y: Int32Array };

export function startRecordedMatch(
  options: WorldOptions,
  emit: (segment: Uint8Array) => void,
): RecordedMatch {
  const world = createWorld(options);
  return {
    world,
    pointers: createPointers(world),
    emit,
    inputs: createInputLog('watched'),
    open: openSegment(0, undefined),
    spareTracks: [],
    lastKeyframeTick: 0,
    hasJoined: false,
  };
}

/** Continues a match that was recorded elsewhere up to this state and ended there with `finishRecording`. */
export function resumeRecordedMatch(world: World, emit: (segment: Uint8Array) => void): RecordedMatch {
  const { tick } = world.clock;
  return {
    world,
    pointers: createPointers(world),
    emit,
    inputs: createInputLog('watched'),
    open: openSegment(tick, saveWorld(world)),
    spareTracks: [],
    lastKeyframeTick: tick,
    hasJoined: true,
  };
}

/** Applies a command and, unless it was refused, records it. */
export function applyRecorded(match: RecordedMatch, command: RecordedCommand): Applied {
  const { world, open } = match;
  const applied = applyCommand(world, command);
  if (!applied.ok) return applied;
  open.commands.push({ after: world.clock.tick - open.startTick, command });
  logCommand(match.inputs, world, command);
  if (command.type === 'join') match.hasJoined = true;
  return applied;
}

/** Only the newest pointer before a step counts. Somebody who is gone must not move who has the slot now. */
export function pointAt({ world, pointers }: RecordedMatch, player: PlayerId, x: number, y: number): void {
  const slot = findPlayer(world.players, player);
  if (slot < 0) return;
  pointers.x[slot] = x;
  pointers.y[slot] = y;
}

/** Steers everybody and advances the world by one step. */
export function stepRecorded(match: RecordedMatch): readonly ArenaEvent[] {
  steerAll(match);
  logStep(match.inputs, match.world);
  const events = step(match.world);
  const { clock, rules } = match.world;
  const ticks = clock.tick - match.open.startTick;
  if (ticks > match.open.marks.length) match.open.marks[ticks - 1] = tickMark(match.world);
  // No segment goes on into another epoch: each is published when its epoch is over.
  const isFull = ticks >= SEGMENT_SECONDS * rules.stepsPerSecond || isEpochOver(rules, clock.tick);
  if (match.hasJoined && !clock.isEnded && isFull) closeSegment(match);
  return events;
}

/** Call when the match has ended, or continues elsewhere: flushes the rest. */
export function finishRecording(match: RecordedMatch): void {
  if (match.hasJoined) closeSegment(match);
}

/** A pointer that has not moved is not recorded again, nor is one that the world refuses: it came too late. */
function steerAll({ world, pointers, open, spareTracks }: RecordedMatch): void {
  const { players, clock } = world;
  for (let slot = 0; slot < players.top; slot++) {
    if (Number.isNaN(pointers.x[slot])) continue;
    const x = quantisePointer(pointers.x[slot]!);
    const y = quantisePointer(pointers.y[slot]!);
    pointers.x[slot] = Number.NaN;
    if (players.offsetX[slot] === x && players.offsetY[slot] === y) continue;
    const player = playerId(players, slot);
    if (!applyCommand(world, { type: 'steer', player, x, y }).ok) continue;
    let track = open.tracks.get(player);
    if (!track) {
      track = spareTracks.pop() ?? createTrack(SEGMENT_SECONDS * world.rules.stepsPerSecond);
      open.tracks.set(player, track);
    }
    notePointer(track, clock.tick - open.startTick, x, y);
  }
}

function createPointers({ rules }: World): Pointers {
  const x = new Float64Array(rules.maxPlayers).fill(Number.NaN);
  return { x, y: x.slice() };
}

function createTrack(room: number): OpenTrack {
  return { count: 0, after: new Int32Array(room), x: new Int32Array(room), y: new Int32Array(room) };
}

function notePointer(track: OpenTrack, after: number, x: number, y: number): void {
  if (track.count === track.after.length) {
    const { after: fullAfter, x: fullX, y: fullY } = track;
    Object.assign(track, createTrack(2 * track.count), { count: track.count });
    track.after.set(fullAfter);
    track.x.set(fullX);
    track.y.set(fullY);
  }
  track.after[track.count] = after;
  track.x[track.count] = x;
  track.y[track.count] = y;
  track.count++;
}

function closeSegment(match: RecordedMatch): void {
  const { world, open, spareTracks } = match;
  const { tick } = world.clock;
  const saved = saveWorld(world);
  const segment: Segment = {
    startTick: open.startTick,
    tickCount: tick - open.startTick,
    keyframe: open.keyframe,
    commands: open.commands,
    tracks: [...open.tracks].map(([player, { count, after, x, y }]) => ({
      player,
      after: after.subarray(0, count),
      x: x.subarray(0, count),
      y: y.subarray(0, count),
    })),
    // A step that failed has none.
    marks: Uint16Array.from({ length: tick - open.startTick }, (_, index) => open.marks[index] ?? 0),
    stateHash: hashState(saved),
  };
  match.emit(writeSegment(segment));
  for (const track of open.tracks.values()) {
    track.count = 0;
    spareTracks.push(track);
  }
  const isKeyframeDue = tick - match.lastKeyframeTick >= KEYFRAME_SECONDS * world.rules.stepsPerSecond;
  if (isKeyframeDue) match.lastKeyframeTick = tick;
  match.open = openSegment(tick, isKeyframeDue ? saved : undefined);
}

function openSegment(startTick: number, keyframe: Uint8Array | undefined): OpenSegment {
  return { startTick, keyframe, commands: [], tracks: new Map(), marks: [] };
}
