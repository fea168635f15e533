/*
 * What clients send all the time, as bytes, because it is nearly all that a room receives:
 *
 *   a pointer: x and y, 12 bits each, in steps of the arena's pointer · the input's number, 8 bits
 *   splitting and ejecting: the input's number, 8 bits
 *   a ping: its id and its time, 8 bytes each · the padding
 *
 * Inputs are numbered in the order of sending, modulo 256. The room only reports to each player the number of the latest
 * input that it has applied.
 */

/** World units a step. The arena rounds to the same steps, so nothing is lost. */
export const POINTER_STEP_WORLD = 4;
const MAX_STEPS = 2_047;
/** Far beyond the edge of any screen at the widest zoom. */
export const MAX_POINTER_WORLD = MAX_STEPS * POINTER_STEP_WORLD;

/** The characters that pad a ping to the size of an update. */
export const PING_PADDING_LENGTH = 100;
const PADDING_AT = 16;
const toUtf8 = new TextEncoder();
const fromUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** `read` returns undefined for anything that `write` never writes. */
export type Codec<Payload> = {
  read(bytes: Uint8Array): Payload | undefined;
  write(payload: Payload): Uint8Array;
};

type Press = { readonly seq: number };
export type Movement = Press & { readonly x: number; readonly y: number };
type Ping = { readonly id: number; readonly timestamp: number; readonly data: string };

export const movementBytes: Codec<Movement> = {
  /** Offsets beyond the limit are cut to it. */
  write: ({ x, y, seq }) => {
    const bits = (toSteps(x) & 0xfff) | ((toSteps(y) & 0xfff) << 12) | (seq << 24);
    return Uint8Array.of(bits, bits >> 8, bits >> 16, bits >> 24);
  },
  read: (bytes) => {
    if (bytes.length !== 4) return undefined;
    const bits = bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16) | (bytes[3]! << 24);
    const xSteps = (bits << 20) >> 20;
    const ySteps = (bits << 8) >> 20;
    if (xSteps < -MAX_STEPS || ySteps < -MAX_STEPS) return undefined;
    return { x: xSteps * POINTER_STEP_WORLD, y: ySteps * POINTER_STEP_WORLD, seq: bits >>> 24 };
  },
};

export const pressBytes: Codec<Press> = {
  write: ({ seq }) => Uint8Array.of(seq),
  read: (bytes) => (bytes.length === 1 ? { seq: bytes[0]! } : undefined),
};

export const pingBytes: Codec<Ping> = {
  write: ({ id, timestamp, data }) => {
    const padding = toUtf8.encode(data);
    const bytes = new Uint8Array(PADDING_AT + padding.length);
    const numbers = new DataView(bytes.buffer);
    numbers.setFloat64(0, id);
    numbers.setFloat64(8, timestamp);
    bytes.set(padding, PADDING_AT);
    return bytes;
  },
  read: (bytes) => {
    if (bytes.length < PADDING_AT) return undefined;
    const numbers = new DataView(bytes.buffer, bytes.byteOffset, PADDING_AT);
    const id = numbers.getFloat64(0);
    const timestamp = numbers.getFloat64(8);
    const data = fromUtf8.decode(bytes.subarray(PADDING_AT));
    const isPing =
      Number.isSafeInteger(id) &&
      id >= 0 &&
      Number.isFinite(timestamp) &&
      timestamp >= 0 &&
      data.length <= PING_PADDING_LENGTH;
    return isPing ? { id, timestamp, data } : undefined;
  },
};

/** The offset that `movementBytes` would carry. */
export function roundPointer(world: number): number {
  return toSteps(world) * POINTER_STEP_WORLD;
}

function toSteps(world: number): number {
  return Math.max(-MAX_STEPS, Math.min(MAX_STEPS, Math.round(world / POINTER_STEP_WORLD)));
}
