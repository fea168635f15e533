/*
 * What players send while they play, in as few bytes as it takes, because it is nearly all that a room receives:
 *
 *   a pointer: x and y, 12 bits each, in steps of the arena's pointer · the input's number, 8 bits
 *   splitting and ejecting: the input's number, 8 bits
 *
 * Inputs are numbered in the order of sending, modulo 256. The room only reports to each player the number of the latest
 * input that it has applied.
 */

/** World units a step. The arena rounds to the same steps, so nothing is lost. */
export const POINTER_STEP_WORLD = 4;
const MAX_STEPS = 2_047;
/** Far beyond the edge of any screen at the widest zoom. */
export const MAX_POINTER_WORLD = MAX_STEPS * POINTER_STEP_WORLD;

type Press = { readonly seq: number };
export type Movement = Press & { readonly x: number; readonly y: number };

/** Offsets beyond the limit are cut to it. */
export function writeMovement({ x, y, seq }: Movement): Uint8Array {
  const bits = (toSteps(x) & 0xfff) | ((toSteps(y) & 0xfff) << 12) | (seq << 24);
  return Uint8Array.of(bits, bits >> 8, bits >> 16, bits >> 24);
}

/** Undefined for anything that `writeMovement` never writes. */
export function readMovement(bytes: Uint8Array): Movement | undefined {
  if (bytes.length !== 4) return undefined;
  const bits = bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16) | (bytes[3]! << 24);
  const xSteps = (bits << 20) >> 20;
  const ySteps = (bits << 8) >> 20;
  if (xSteps < -MAX_STEPS || ySteps < -MAX_STEPS) return undefined;
  return { x: xSteps * POINTER_STEP_WORLD, y: ySteps * POINTER_STEP_WORLD, seq: bits >>> 24 };
}

function writePress({ seq }: Press): Uint8Array {
  return Uint8Array.of(seq);
}

function readPress(bytes: Uint8Array): Press | undefined {
  return bytes.length === 1 ? { seq: bytes[0]! } : undefined;
}

const press = { read: readPress, write: writePress };

/** The messages that are bytes. */
export const INPUT_BYTES = {
  movement: { read: readMovement, write: writeMovement },
  split: press,
  ejectMass: press,
} as const;

export type InputType = keyof typeof INPUT_BYTES;

export function isInputType(type: string): type is InputType {
  return Object.hasOwn(INPUT_BYTES, type);
}

function toSteps(world: number): number {
  return Math.max(-MAX_STEPS, Math.min(MAX_STEPS, Math.round(world / POINTER_STEP_WORLD)));
}
