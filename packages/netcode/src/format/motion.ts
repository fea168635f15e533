import { addBits, type BitReader, type BitWord, clearWord, readBits, readSigned } from './bits.ts';
import { FINE_PER_STEP, MAX_TICKS_SINCE_FIX, MAX_VELOCITY, type MotionScale, type Tracks } from './tracks.ts';

/**
 * A prediction that is off by no more than this needs no correction: a quarter unit, half a pixel at the
 * closest.
 */
const TOLERANCE_FINE = FINE_PER_STEP;
/** A larger error means that the body turned; a smaller one, that its velocity was slightly off all along. */
const MAX_DRIFT_STEPS = 3;

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

/*
 * How one track goes on. Frequent cases are short:
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
export function encodeMotion(
  word: BitWord,
  tracks: Tracks,
  track: number,
  ticks: number,
  scale: MotionScale,
  xFine: number,
  yFine: number,
  radiusSteps: number,
): void {
  clearWord(word);
  predict(tracks, track, ticks, scale);
  const radiusChange = radiusSteps - tracks.radius[track]!;
  if (radiusChange !== 0) {
    addBits(word, 0b01111, 5);
    if (radiusChange >= -8 && radiusChange < 8) addBits(word, (radiusChange & 15) << 1, 5);
    else addBits(word, (radiusSteps << 1) | 1, 17);
    tracks.radius[track] = radiusSteps;
  }
  const errorX = xFine - tracks.x[track]!;
  const errorY = yFine - tracks.y[track]!;
  if (isWithin(errorX, errorY, TOLERANCE_FINE)) {
    addBits(word, 0, 1);
    return;
  }
  const stepsX = Math.round(errorX / FINE_PER_STEP);
  const stepsY = Math.round(errorY / FINE_PER_STEP);
  if (isWithin(stepsX, stepsY, 3)) {
    addBits(word, 0b01 | ((stepsX & 7) << 2) | ((stepsY & 7) << 5), 8);
    correct(tracks, track, ticks, stepsX, stepsY);
  } else if (isWithin(stepsX, stepsY, 15)) {
    addBits(word, 0b011 | ((stepsX & 31) << 3) | ((stepsY & 31) << 8), 13);
    correct(tracks, track, ticks, stepsX, stepsY);
  } else if (isWithin(stepsX, stepsY, 127)) {
    addBits(word, 0b0111 | ((stepsX & 255) << 4) | ((stepsY & 255) << 12), 20);
    correct(tracks, track, ticks, stepsX, stepsY);
  } else {
    const x = Math.round(xFine / FINE_PER_STEP);
    const y = Math.round(yFine / FINE_PER_STEP);
    addBits(word, 0b11111, 5);
    addBits(word, x, scale.positionBits);
    addBits(word, y, scale.positionBits);
    place(tracks, track, ticks, x, y);
  }
}

export function readMotion(
  reader: BitReader,
  tracks: Tracks,
  track: number,
  ticks: number,
  scale: MotionScale,
): void {
  predict(tracks, track, ticks, scale);
  let prefix = readPrefix(reader);
  if (prefix === 4) {
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
  if (velocityX === 0 && velocityY === 0) return;
  tracks.ticksSinceFix[track] = Math.min(MAX_TICKS_SINCE_FIX, tracks.ticksSinceFix[track]! + ticks);
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
  if (velocityX === 0 && velocityY === 0) tracks.ticksSinceFix[track] = 0;
}

/** A body at rest has only just begun to move. */
function correct(tracks: Tracks, track: number, ticks: number, stepsX: number, stepsY: number): void {
  const isDrift = isWithin(stepsX, stepsY, MAX_DRIFT_STEPS) && tracks.ticksSinceFix[track] !== 0;
  const overTicks = isDrift ? tracks.ticksSinceFix[track]! : ticks;
  fix(tracks, track, overTicks, stepsX * FINE_PER_STEP, stepsY * FINE_PER_STEP);
}

function place(tracks: Tracks, track: number, ticks: number, xSteps: number, ySteps: number): void {
  const errorX = xSteps * FINE_PER_STEP - tracks.x[track]!;
  const errorY = ySteps * FINE_PER_STEP - tracks.y[track]!;
  fix(tracks, track, ticks, errorX, errorY);
}

/** Takes an error back that has grown over so many ticks. */
function fix(tracks: Tracks, track: number, overTicks: number, errorX: number, errorY: number): void {
  const { x, y, velocityX, velocityY } = tracks;
  x[track]! += errorX;
  y[track]! += errorY;
  velocityX[track] = limitVelocity(velocityX[track]! + Math.round(errorX / overTicks));
  velocityY[track] = limitVelocity(velocityY[track]! + Math.round(errorY / overTicks));
  tracks.ticksSinceFix[track] = 0;
}

function limitVelocity(velocity: number): number {
  return Math.max(-MAX_VELOCITY, Math.min(MAX_VELOCITY, velocity));
}

function isWithin(a: number, b: number, limit: number): boolean {
  return a >= -limit && a <= limit && b >= -limit && b <= limit;
}
