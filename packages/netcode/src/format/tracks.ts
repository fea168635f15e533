import { type BitReader, type BitWriter, readBits, readSigned, writeBits } from './bits.ts';

/** Positions and radii are sent in quarters of a world unit. */
export const STEPS_PER_UNIT = 4;
/** Between messages both sides use finer steps, or the rounding errors of a velocity would add up. */
export const FINE_PER_STEP = 8;
export const FINE_PER_UNIT = STEPS_PER_UNIT * FINE_PER_STEP;

/**
 * A prediction that is off by no more than this needs no correction: a quarter unit, half a pixel at the
 * closest.
 */
const TOLERANCE_FINE = FINE_PER_STEP;
/** A larger error means that the body turned; a smaller one, that its velocity was slightly off all along. */
const MAX_DRIFT_STEPS = 3;

/**
 * What one side believes about the bodies of one view, in the order in which both sides list them. Both sides
 * always hold the same numbers: each moves every track by its velocity, and the sender only sends the errors.
 */
export type Tracks = {
  count: number;
  isCoasting: Uint8Array;
  x: Int32Array;
  y: Int32Array;
  /** Fine steps a tick. */
  velocityX: Int32Array;
  velocityY: Int32Array;
  ticksSinceFix: Uint16Array;
  /** In steps. */
  radius: Uint16Array;
};

/** The part of the world header that matters here. */
export type MotionScale = {
  readonly positionBits: number;
  /** How much of a launched body's velocity is left after a tick, in 256ths. */
  readonly velocityKept: number;
};

export function createTracks(capacity: number): Tracks {
  return {
    count: 0,
    isCoasting: new Uint8Array(capacity),
    x: new Int32Array(capacity),
    y: new Int32Array(capacity),
    velocityX: new Int32Array(capacity),
    velocityY: new Int32Array(capacity),
    ticksSinceFix: new Uint16Array(capacity),
    radius: new Uint16Array(capacity),
  };
}

/** Makes room for so many tracks and keeps what is there. */
export function growTracks(tracks: Tracks, capacity: number): void {
  const { count: _, ...larger } = createTracks(capacity);
  for (const name of Object.keys(larger) as (keyof typeof larger)[]) larger[name].set(tracks[name]);
  Object.assign(tracks, larger);
}

/** A coasting body is not steered, so its velocity fades (ejected mass, viruses). */
export function addTrack(
  tracks: Tracks,
  isCoasting: boolean,
  xSteps: number,
  ySteps: number,
  radiusSteps: number,
): void {
  const track = tracks.count++;
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

/** Whether a body at rest needs no correction. */
export function isWhereItWas(
  tracks: Tracks,
  track: number,
  xFine: number,
  yFine: number,
  radiusSteps: number,
): boolean {
  const errorX = xFine - tracks.x[track]!;
  const errorY = yFine - tracks.y[track]!;
  return radiusSteps === tracks.radius[track] && isWithin(errorX, errorY, TOLERANCE_FINE);
}

/** Time passes for a body that stays where it is. */
export function keepTrack(tracks: Tracks, track: number, ticks: number): void {
  tracks.ticksSinceFix[track] = Math.min(65_535, tracks.ticksSinceFix[track]! + ticks);
}

/*
 * One track's part of a message. Frequent cases are short:
 *
 *   0                          as predicted
 *   10    error 3+3 bits       a little off
 *   110   error 5+5 bits       off
 *   1110  error 8+8 bits       far off
 *   11110 radius, then one of the others
 *   11111 position             farther off than that
 *
 * A radius is a 0 and a change of 4 bits, or a 1 and 16 bits.
 */
export function writeMotion(
  writer: BitWriter,
  tracks: Tracks,
  track: number,
  ticks: number,
  scale: MotionScale,
  xFine: number,
  yFine: number,
  radiusSteps: number,
): void {
  predict(tracks, track, ticks, scale);
  const radiusChange = radiusSteps - tracks.radius[track]!;
  if (radiusChange !== 0) {
    writeBits(writer, 0b01111, 5);
    if (radiusChange >= -8 && radiusChange < 8) writeBits(writer, (radiusChange & 15) << 1, 5);
    else writeBits(writer, (radiusSteps << 1) | 1, 17);
    tracks.radius[track] = radiusSteps;
  }
  const errorX = xFine - tracks.x[track]!;
  const errorY = yFine - tracks.y[track]!;
  if (isWithin(errorX, errorY, TOLERANCE_FINE)) {
    writeBits(writer, 0, 1);
    return;
  }
  const stepsX = Math.round(errorX / FINE_PER_STEP);
  const stepsY = Math.round(errorY / FINE_PER_STEP);
  if (isWithin(stepsX, stepsY, 3)) {
    writeBits(writer, 0b01 | ((stepsX & 7) << 2) | ((stepsY & 7) << 5), 8);
    correct(tracks, track, ticks, stepsX, stepsY);
  } else if (isWithin(stepsX, stepsY, 15)) {
    writeBits(writer, 0b011 | ((stepsX & 31) << 3) | ((stepsY & 31) << 8), 13);
    correct(tracks, track, ticks, stepsX, stepsY);
  } else if (isWithin(stepsX, stepsY, 127)) {
    writeBits(writer, 0b0111 | ((stepsX & 255) << 4) | ((stepsY & 255) << 12), 20);
    correct(tracks, track, ticks, stepsX, stepsY);
  } else {
    const x = Math.round(xFine / FINE_PER_STEP);
    const y = Math.round(yFine / FINE_PER_STEP);
    writeBits(writer, 0b11111, 5);
    writeBits(writer, x, scale.positionBits);
    writeBits(writer, y, scale.positionBits);
    place(tracks, track, ticks, x, y);
  }
}

/** Returns whether the radius changed. */
export function readMotion(
  reader: BitReader,
  tracks: Tracks,
  track: number,
  ticks: number,
  scale: MotionScale,
): boolean {
  predict(tracks, track, ticks, scale);
  let prefix = readPrefix(reader);
  const hasRadius = prefix === 4;
  if (hasRadius) {
    if (readBits(reader, 1) === 1) tracks.radius[track] = readBits(reader, 16);
    else tracks.radius[track]! += readSigned(reader, 4);
    prefix = readPrefix(reader);
    if (prefix === 4) reader.isMalformed = true;
  }
  if (prefix === 1) correct(tracks, track, ticks, readSigned(reader, 3), readSigned(reader, 3));
  else if (prefix === 2) correct(tracks, track, ticks, readSigned(reader, 5), readSigned(reader, 5));
  else if (prefix === 3) correct(tracks, track, ticks, readSigned(reader, 8), readSigned(reader, 8));
  else if (prefix === 5) {
    place(tracks, track, ticks, readBits(reader, scale.positionBits), readBits(reader, scale.positionBits));
  }
  return hasRadius;
}

/** Counts the ones, up to five. */
function readPrefix(reader: BitReader): number {
  let ones = 0;
  while (ones < 5 && readBits(reader, 1) === 1) ones++;
  return ones;
}

function predict(tracks: Tracks, track: number, ticks: number, scale: MotionScale): void {
  let velocityX = tracks.velocityX[track]!;
  let velocityY = tracks.velocityY[track]!;
  keepTrack(tracks, track, ticks);
  if (velocityX === 0 && velocityY === 0) return;
  if (tracks.isCoasting[track] === 0) {
    tracks.x[track]! += velocityX * ticks;
    tracks.y[track]! += velocityY * ticks;
    return;
  }
  for (let tick = 0; tick < ticks && (velocityX !== 0 || velocityY !== 0); tick++) {
    velocityX = ((velocityX * scale.velocityKept) / 256) | 0;
    velocityY = ((velocityY * scale.velocityKept) / 256) | 0;
    tracks.x[track]! += velocityX;
    tracks.y[track]! += velocityY;
  }
  tracks.velocityX[track] = velocityX;
  tracks.velocityY[track] = velocityY;
}

function correct(tracks: Tracks, track: number, ticks: number, stepsX: number, stepsY: number): void {
  const overTicks = isWithin(stepsX, stepsY, MAX_DRIFT_STEPS) ? tracks.ticksSinceFix[track]! : ticks;
  tracks.x[track]! += stepsX * FINE_PER_STEP;
  tracks.y[track]! += stepsY * FINE_PER_STEP;
  tracks.velocityX[track]! += Math.round((stepsX * FINE_PER_STEP) / overTicks);
  tracks.velocityY[track]! += Math.round((stepsY * FINE_PER_STEP) / overTicks);
  tracks.ticksSinceFix[track] = 0;
}

function place(tracks: Tracks, track: number, ticks: number, xSteps: number, ySteps: number): void {
  const errorX = xSteps * FINE_PER_STEP - tracks.x[track]!;
  const errorY = ySteps * FINE_PER_STEP - tracks.y[track]!;
  tracks.x[track]! += errorX;
  tracks.y[track]! += errorY;
  tracks.velocityX[track]! += Math.round(errorX / ticks);
  tracks.velocityY[track]! += Math.round(errorY / ticks);
  tracks.ticksSinceFix[track] = 0;
}

function isWithin(a: number, b: number, limit: number): boolean {
  return a >= -limit && a <= limit && b >= -limit && b <= limit;
}
