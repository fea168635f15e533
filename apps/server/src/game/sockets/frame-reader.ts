import { ENTRANCE_LIMITS } from '../limits.ts';

/*
 * Where the frames of a client begin and end, and the bodies of the simple ones: whole binary frames, nearly all that a room
 * receives. `ws` takes any frame, but makes several buffers of each, and a room gets thousands of them a second: reading
 * the simple ones here saves a third of the time that a room of a hundred takes.
 */

const FINAL = 0x80;
const MASKED = 0x80;
const OPCODE = 0x0f;
const FIRST_CONTROL = 0x8;
const FINAL_BINARY = 0x82;
const SHORT = 125;
const LENGTH_IN_TWO_BYTES = 126;
const MASK_BYTES = 4;
const MAX_HEAD_BYTES = 10;

export type FrameWalk = {
  /** Of the latest chunk: how many frames begin in it. */
  frames: number;
  /** Whether the chunk is nothing but simple frames, which `readFrames` reads. Any other chunk is for `ws`. */
  isSimple: boolean;
  /** The bytes of the current frame that are still to come. */
  left: number;
  /** The beginning of a frame whose head is not complete. */
  head: readonly number[];
  /** A message of several frames has begun, and only `ws` knows the rest of it. */
  isFragmented: boolean;
};

export function createFrameWalk(): FrameWalk {
  return { frames: 0, isSimple: true, left: 0, head: [], isFragmented: false };
}

/** Looks at the heads of all frames in the next bytes from the client. */
export function walkFrames(walk: FrameWalk, chunk: Uint8Array): void {
  walk.frames = 0;
  walk.isSimple = walk.left === 0 && walk.head.length === 0 && !walk.isFragmented;
  let at = 0;
  if (walk.left > 0) {
    at = Math.min(walk.left, chunk.length);
    walk.left -= at;
  }
  while (at < chunk.length) {
    // Mostly the head is here as a whole, and nothing is copied.
    const isContinued = walk.head.length > 0;
    const bytes = isContinued
      ? Uint8Array.from([...walk.head, ...chunk.subarray(at, at + MAX_HEAD_BYTES)])
      : chunk;
    const from = isContinued ? 0 : at;
    const length = frameLength(bytes, from);
    if (length === undefined) {
      walk.head = [...bytes.subarray(from)];
      walk.isSimple = false;
      return;
    }
    noteFrame(walk, bytes, from);
    const end = at - walk.head.length + length;
    walk.head = [];
    walk.left = Math.max(0, end - chunk.length);
    if (walk.left > 0) walk.isSimple = false;
    at = end;
  }
}

/** With head and mask; undefined while the head is incomplete. */
function frameLength(bytes: Uint8Array, at: number): number | undefined {
  const lengthByte = bytes[at + 1];
  if (lengthByte === undefined) return undefined;
  const short = lengthByte & ~MASKED;
  const maskBytes = lengthByte & MASKED ? MASK_BYTES : 0;
  if (short <= SHORT) return 2 + maskBytes + short;
  const lengthBytes = short === LENGTH_IN_TWO_BYTES ? 2 : 8;
  if (at + 2 + lengthBytes > bytes.length) return undefined;
  let length = 0;
  for (let i = 0; i < lengthBytes; i++) length = length * 256 + bytes[at + 2 + i]!;
  return 2 + lengthBytes + maskBytes + length;
}

function noteFrame(walk: FrameWalk, bytes: Uint8Array, at: number): void {
  walk.frames++;
  const first = bytes[at]!;
  const lengthByte = bytes[at + 1]!;
  const opcode = first & OPCODE;
  if (opcode < FIRST_CONTROL) walk.isFragmented = !(first & FINAL);
  if (first !== FINAL_BINARY || !(lengthByte & MASKED)) walk.isSimple = false;
  const short = lengthByte & ~MASKED;
  if (short <= SHORT) return;
  const length = (bytes[at + 2]! << 8) + bytes[at + 3]!;
  // `ws` refuses longer ones.
  const isReadHere = short === LENGTH_IN_TWO_BYTES && length <= ENTRANCE_LIMITS.maxMessageBytes;
  if (!isReadHere) walk.isSimple = false;
}

const unmasked = Buffer.allocUnsafeSlow(ENTRANCE_LIMITS.maxMessageBytes);
/** The beginnings of `unmasked`, by length: making one costs more than reading a pointer into it. */
const bodies: (Buffer | undefined)[] = new Array(unmasked.length + 1);

/** Of a simple chunk. The next frame, of whatever client, overwrites a body. */
export function readFrames(chunk: Uint8Array, onFrame: (body: Buffer) => void): void {
  let at = 0;
  while (at < chunk.length) {
    const short = chunk[at + 1]! & ~MASKED;
    const isShort = short <= SHORT;
    const length = isShort ? short : (chunk[at + 2]! << 8) + chunk[at + 3]!;
    const maskAt = at + (isShort ? 2 : 4);
    const bodyAt = maskAt + MASK_BYTES;
    for (let i = 0; i < length; i++) unmasked[i] = chunk[bodyAt + i]! ^ chunk[maskAt + (i & 3)]!;
    at = bodyAt + length;
    bodies[length] ??= unmasked.subarray(0, length);
    onFrame(bodies[length]);
  }
}
