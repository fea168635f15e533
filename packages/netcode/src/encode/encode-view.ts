import { BODY } from '@engulf/sim/bodies';
import { finishWriting, resetWriter, writeBits, writeVar } from '../format/bits.ts';
import {
  GAP_BITS,
  INPUT_BITS,
  INPUT_MASK,
  KIND_BITS,
  MAX_GAP_TICKS,
  RADIUS_BITS,
  SEQUENCE_BITS,
  SEQUENCE_MASK,
  STEP_COUNT_BITS,
} from '../format/message-format.ts';
import { writePlayerRow } from '../format/player-rows.ts';
import { arePortalsDue, writePortals } from '../format/portal-wave.ts';
import { followTide, isTideDue, writeTide } from '../format/tide-state.ts';
import { writeTrack } from '../format/tracks.ts';
import { writeHeader } from '../format/world-header.ts';
import { NOBODY, type Viewer } from '../view.ts';
import type { ArenaFrame } from './arena-frame.ts';
import { writeFood } from './encode-food.ts';
import { countStepsSince, writeStep } from './motion-log.ts';
import { reserveBodies, resetStream, type ViewStream } from './view-stream.ts';
import { findVisible, isMarkedVisible, isPlayerVisible, primaryInFrame } from './visible-bodies.ts';

/**
 * The next message for one receiver: its view of the frame, as the difference from what it was sent before. A
 * full snapshot is the difference from nothing. The bytes are good until the next message of this frame is made.
 */
export function encodeView(frame: ArenaFrame, stream: ViewStream, viewer: Viewer): Uint8Array {
  const { writer } = frame;
  const gap = frame.tick - stream.tick;
  const isFull = stream.isFullDue || gap < 1 || gap > MAX_GAP_TICKS;
  if (isFull) resetStream(stream);
  stream.sequence = (stream.sequence + 1) & SEQUENCE_MASK;

  resetWriter(writer);
  const hasGap = !isFull && gap !== 1;
  writeBits(writer, (isFull ? 1 : 0) | (hasGap ? 2 : 0) | (stream.sequence << 2), 2 + SEQUENCE_BITS);
  if (hasGap) writeBits(writer, gap, GAP_BITS);
  if (isFull) {
    writeHeader(writer, frame.header);
    writeVar(writer, frame.tick);
  }
  const addedCount = findVisible(frame, stream, viewer);
  writeRemovals(frame, stream);
  if (!isFull) writeMotions(frame, stream, gap);
  writePlayers(frame, stream, viewer, addedCount);
  writeAdditions(frame, stream, addedCount);
  writeOwn(frame, stream, viewer);
  if (stream.own !== NOBODY) writeAcknowledged(frame, stream, viewer);
  writeFood(frame, stream, viewer, gap);
  writeNews(frame, stream, isFull ? 0 : gap);
  stream.tick = frame.tick;
  return finishWriting(writer);
}

/** What everybody is told wherever they are, which is seldom: a bit, and if it is set, one for each kind of news. */
function writeNews(frame: ArenaFrame, stream: ViewStream, gap: number): void {
  const { writer, header, tick, world } = frame;
  const { portals, tide } = world;
  followTide(stream.tide, header, tick - gap, tick);
  const hasPortals = arePortalsDue(stream.portals, portals);
  const hasTide = isTideDue(stream.tide, tide, tick);
  if (!hasPortals && !hasTide) {
    writeBits(writer, 0, 1);
    return;
  }
  writeBits(writer, 1 | (hasPortals ? 2 : 0) | (hasTide ? 4 : 0), 3);
  if (hasPortals) writePortals(writer, header, portals, stream.portals);
  if (hasTide) writeTide(writer, tide, stream.tide, tick);
}

/** Each entry: whether the body is gone or just out of view, and how many since the last entry are kept. */
function writeRemovals(frame: ArenaFrame, stream: ViewStream): void {
  const { writer, generation } = frame;
  const { bodies, generations } = stream;
  let count = 0;
  let keptSinceLast = 0;
  for (let i = 0; i < stream.count; i++) {
    const body = bodies[i]!;
    const isSame = generation[body] === generations[i];
    if (isSame && isMarkedVisible(frame, body)) {
      bodies[count] = body;
      generations[count] = generations[i]!;
      count++;
      keptSinceLast++;
      continue;
    }
    const isGone = !isSame || frame.kind[body] === BODY.none;
    writeBits(writer, isGone ? 3 : 1, 2);
    writeVar(writer, keptSinceLast);
    keptSinceLast = 0;
  }
  writeBits(writer, 0, 1);
  stream.count = count;
}

/**
 * The steps since the last message, one after the other. After a gap it says how many those are, and if they are not as
 * many as its ticks, how many ticks each of them has. None of them means that they are not known any more.
 */
function writeMotions(frame: ArenaFrame, stream: ViewStream, gap: number): void {
  const { writer, motion, header } = frame;
  const stepCount = countStepsSince(motion, stream.tick);
  if (gap !== 1) writeBits(writer, stepCount, STEP_COUNT_BITS);
  if (stepCount === 0) {
    for (let i = 0; i < stream.count; i++) {
      const body = stream.bodies[i]!;
      writeTrack(writer, motion.tracks, body, header);
      writeBits(writer, motion.tracks.radius[body]!, RADIUS_BITS);
    }
    return;
  }
  for (let i = stepCount - 1; i >= 0; i--) {
    const step = motion.steps[i]!;
    if (gap !== stepCount) writeBits(writer, step.ticks, GAP_BITS);
    writeStep(writer, step, stream.bodies, stream.count);
  }
}

/** Of the players in view, the parts of their rows that this receiver does not have. */
function writePlayers(frame: ArenaFrame, stream: ViewStream, viewer: Viewer, addedCount: number): void {
  const { owner, added, changedRows, changedRowCount } = frame;
  if (viewer.player !== NOBODY) writePlayerUpdate(frame, stream, viewer.player);
  if (stream.tick >= frame.previousTick) {
    for (let i = 0; i < changedRowCount; i++) {
      const player = changedRows[i]!;
      if (isPlayerVisible(frame, player)) writePlayerUpdate(frame, stream, player);
    }
  } else {
    for (let i = 0; i < stream.count; i++) writePlayerUpdate(frame, stream, owner[stream.bodies[i]!]!);
  }
  for (let i = 0; i < addedCount; i++) writePlayerUpdate(frame, stream, owner[added[i]!]!);
  writeBits(frame.writer, 0, 1);
}

function writePlayerUpdate(frame: ArenaFrame, stream: ViewStream, player: number): void {
  if (player < 0) return;
  const { playerRows: rows, writer, header } = frame;
  const hasNewIdentity = stream.identityVersion[player] !== rows.identityVersion[player];
  const hasNewReward = stream.rewardVersion[player] !== rows.rewardVersion[player];
  if (!hasNewIdentity && !hasNewReward) return;
  writeBits(writer, 1, 1);
  writeBits(writer, player, header.playerBits);
  writePlayerRow(writer, rows, player, hasNewIdentity, hasNewReward);
  stream.identityVersion[player] = rows.identityVersion[player]!;
  stream.rewardVersion[player] = rows.rewardVersion[player]!;
}

function writeAdditions(frame: ArenaFrame, stream: ViewStream, addedCount: number): void {
  const { writer, header, motion } = frame;
  reserveBodies(stream, stream.count + addedCount);
  for (let i = 0; i < addedCount; i++) {
    const body = frame.added[i]!;
    const kind = frame.kind[body]!;
    writeBits(writer, 1 | (kind << 1), 1 + KIND_BITS);
    writeTrack(writer, motion.tracks, body, header);
    writeRadius(frame, stream, kind, motion.tracks.radius[body]!);
    if (kind !== BODY.virus) writeBits(writer, frame.owner[body]!, header.playerBits);
    stream.bodies[stream.count] = body;
    stream.generations[stream.count] = frame.generation[body]!;
    stream.count++;
  }
  writeBits(writer, 0, 1);
}

/** Ejected masses have the same radius, and so have most viruses: a 1 for that of the last one of the kind. */
function writeRadius({ writer }: ArenaFrame, { lastRadius }: ViewStream, kind: number, radius: number): void {
  const isKnown = lastRadius[kind] === radius;
  writeBits(writer, isKnown ? 1 : 0, 1);
  if (!isKnown) writeBits(writer, radius, RADIUS_BITS);
  lastRadius[kind] = radius;
}

/** The receiver's own player, and the index of its largest cell among the bodies in view. */
function writeOwn(frame: ArenaFrame, stream: ViewStream, viewer: Viewer): void {
  const { writer, header } = frame;
  const primary = viewer.player === NOBODY ? -1 : primaryInFrame(frame, viewer.player);
  const own = primary < 0 ? NOBODY : viewer.player;
  const generation = primary < 0 ? 0 : frame.generation[primary]!;
  const isKnown =
    stream.own === own && stream.primaryBody === primary && stream.primaryGeneration === generation;
  writeBits(writer, isKnown ? 0 : 1, 1);
  if (isKnown) return;
  writeBits(writer, own + 1, header.playerBits);
  if (own !== NOBODY) writeVar(writer, stream.bodies.indexOf(primary));
  stream.own = own;
  stream.primaryBody = primary;
  stream.primaryGeneration = generation;
}

/** The latest input that is part of this view: 0 for the same as before, 10 for the next one, 11 and its number. */
function writeAcknowledged({ writer }: ArenaFrame, stream: ViewStream, { acknowledged }: Viewer): void {
  const further = (acknowledged - stream.acknowledged) & INPUT_MASK;
  if (further === 0) writeBits(writer, 0, 1);
  else if (further === 1) writeBits(writer, 0b01, 2);
  else writeBits(writer, 0b11 | (acknowledged << 2), 2 + INPUT_BITS);
  stream.acknowledged = acknowledged & INPUT_MASK;
}
