import { BODY } from '@engulf/sim/bodies';
import { bitsFor } from './bits.ts';

/*
 * A message, all in bits:
 *
 *   full? · gap? · sequence
 *   full: world header, tick       gap: ticks since the last message, when it is not 1
 *   removals · motion of the rest · player rows · additions · own player · its latest input · food · portals
 *
 * A list is a 1 before every entry and a 0 after the last. Optional parts are a 1 and the part, or a 0.
 */

/** Enough to detect a lost message on an ordered connection. */
export const SEQUENCE_BITS = 4;
export const SEQUENCE_MASK = (1 << SEQUENCE_BITS) - 1;

export const GAP_BITS = 8;
/** A longer silence is answered with a full snapshot. */
export const MAX_GAP_TICKS = (1 << GAP_BITS) - 1;

/**
 * Who misses an update gets the motion of that step later, before the next one. Who misses more than this gets bodies
 * as they are.
 */
export const MAX_LOGGED_STEPS = 4;
export const STEP_COUNT_BITS = bitsFor(MAX_LOGGED_STEPS);

/** Inputs are numbered modulo 256: far more than can be under way at once. */
export const INPUT_BITS = 8;
export const INPUT_MASK = (1 << INPUT_BITS) - 1;

export const KIND_BITS = bitsFor(BODY.virus);
export const RADIUS_BITS = 16;
