import { type BitReader, type BitWriter, bitsFor, readBits, readSigned, writeBits } from './bits.ts';

/** Positions and radii are sent in quarters of a world unit. */
export const STEPS_PER_UNIT = 4;
/** Between messages both sides use finer steps, or the rounding errors of a velocity would add up. */
export const FINE_PER_STEP = 8;
export const FINE_PER_UNIT = STEPS_PER_UNIT * FINE_PER_STEP;

/** How far a track may be beyond the edge of the world: as far as it may be off. */
const MARGIN_FINE = FINE_PER_STEP;
/** Drifting for longer than this means a velocity that is off by less than the finest step. */
export const MAX_TICKS_SINCE_FIX = 31;
const SINCE_FIX_BITS = 5;
/** Faster than anything moves: 3,200 units a second at 25 ticks. */
export const MAX_VELOCITY = 4_095;
const VELOCITY_BITS = 13;
const VELOCITY_MASK = (1 << VELOCITY_BITS) - 1;

/**
 * What is believed about bodies. The room and everybody who sees a body hold the same numbers for it: each side moves
 * every track by its velocity, and the room only sends the errors. The room lists tracks by body, clients in the order
 * of their messages.
 */
export type Tracks = {
  count: number;
  isCoasting: Uint8Array;
  x: Int32Array;
  y: Int32Array;
  /** Fine steps a tick. */
  velocityX: Int32Array;
  velocityY: Int32Array;
  /** Of a moving one. */
  ticksSinceFix: Uint8Array;
  /** In steps. */
  radius: Uint16Array;
};

/** The part of the world header that matters here. */
export type MotionScale = {
  readonly positionBits: number;
  readonly fineBits: number;
  /** How much of a launched body's velocity is left after a tick, in 256ths. */
  readonly velocityKept: number;
};

/** How many bits hold a track's position. */
export function fineBitsFor(worldSize: number): number {
  return bitsFor(worldSize * FINE_PER_UNIT + 2 * MARGIN_FINE);
}

export function createTracks(capacity: number): Tracks {
  return {
    count: 0,
    isCoasting: new Uint8Array(capacity),
    x: new Int32Array(capacity),
    y: new Int32Array(capacity),
    velocityX: new Int32Array(capacity),
    velocityY: new Int32Array(capacity),
    ticksSinceFix: new Uint8Array(capacity),
    radius: new Uint16Array(capacity),
  };
}

/**
 * Begins the track of a new body: at rest on a whole step. A coasting body is not steered, so its velocity fades (ejected
 * mass, viruses).
 */
export function startTrack(
  tracks: Tracks,
  track: number,
  isCoasting: boolean,
  xSteps: number,
  ySteps: number,
  radiusSteps: number,
): void {
  tracks.isCoasting[track] = isCoasting ? 1 : 0;
  tracks.x[track] = xSteps * FINE_PER_STEP;
  tracks.y[track] = ySteps * FINE_PER_STEP;
  tracks.velocityX[track] = 0;
  tracks.velocityY[track] = 0;
  tracks.ticksSinceFix[track] = 0;
  tracks.radius[track] = radiusSteps;
}

export function moveTrack(tracks: Tracks, from: number, to: number): void {
  tracks.isCoasting[to] = tracks.isCoasting[from]!;
  tracks.x[to] = tracks.x[from]!;
  tracks.y[to] = tracks.y[from]!;
  tracks.velocityX[to] = tracks.velocityX[from]!;
  tracks.velocityY[to] = tracks.velocityY[from]!;
  tracks.ticksSinceFix[to] = tracks.ticksSinceFix[from]!;
  tracks.radius[to] = tracks.radius[from]!;
}

/** Ejected mass that has come to rest, or a virus: nearly always it stays where it is. */
export function isAtRest(tracks: Tracks, track: number): boolean {
  return tracks.isCoasting[track] === 1 && tracks.velocityX[track] === 0 && tracks.velocityY[track] === 0;
}

/*
 * A track as it is, for somebody who did not follow it so far:
 *
 *   0    at rest on a whole step: its position in steps
 *   10   at rest: its position
 *   11   moving: its position, velocity, and the ticks since its last fix
 */
export function writeTrack(writer: BitWriter, tracks: Tracks, track: number, scale: MotionScale): void {
  const x = tracks.x[track]!;
  const y = tracks.y[track]!;
  const velocityX = tracks.velocityX[track]!;
  const velocityY = tracks.velocityY[track]!;
  const isMoving = velocityX !== 0 || velocityY !== 0;
  if (!isMoving && isOnStep(x) && isOnStep(y)) {
    writeBits(writer, 0, 1);
    writeBits(writer, x / FINE_PER_STEP, scale.positionBits);
    writeBits(writer, y / FINE_PER_STEP, scale.positionBits);
    return;
  }
  writeBits(writer, isMoving ? 3 : 1, 2);
  writeBits(writer, x + MARGIN_FINE, scale.fineBits);
  writeBits(writer, y + MARGIN_FINE, scale.fineBits);
  if (!isMoving) return;
  writeBits(writer, velocityX & VELOCITY_MASK, VELOCITY_BITS);
  writeBits(writer, velocityY & VELOCITY_MASK, VELOCITY_BITS);
  writeBits(writer, tracks.ticksSinceFix[track]!, SINCE_FIX_BITS);
}

/** Leaves the radius, and whether it is coasting, to the caller. */
export function readTrack(reader: BitReader, tracks: Tracks, track: number, scale: MotionScale): void {
  const isInSteps = readBits(reader, 1) === 0;
  const isMoving = !isInSteps && readBits(reader, 1) === 1;
  if (isInSteps) {
    tracks.x[track] = readBits(reader, scale.positionBits) * FINE_PER_STEP;
    tracks.y[track] = readBits(reader, scale.positionBits) * FINE_PER_STEP;
  } else {
    tracks.x[track] = readBits(reader, scale.fineBits) - MARGIN_FINE;
    tracks.y[track] = readBits(reader, scale.fineBits) - MARGIN_FINE;
  }
  tracks.velocityX[track] = isMoving ? readSigned(reader, VELOCITY_BITS) : 0;
  tracks.velocityY[track] = isMoving ? readSigned(reader, VELOCITY_BITS) : 0;
  tracks.ticksSinceFix[track] = isMoving ? readBits(reader, SINCE_FIX_BITS) : 0;
}

/** Not beyond the edge. */
function isOnStep(fine: number): boolean {
  return fine >= 0 && fine % FINE_PER_STEP === 0;
}
