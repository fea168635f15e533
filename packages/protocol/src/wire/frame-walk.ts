/*
 * Where the frames of a WebSocket client begin and end, from their heads alone: cheap enough to be done before anything else
 * reads them.
 */

/** Above the largest message of our clients, far below what would hurt. */
export const MAX_MESSAGE_BYTES = 4_096;

export const MASKED = 0x80;
export const MASK_BYTES = 4;
/** The longest body whose length is in the second byte of its frame. */
export const SHORT = 125;
const LENGTH_IN_TWO_BYTES = 126;
const FINAL = 0x80;
const OPCODE = 0x0f;
const CONTINUATION = 0x0;
const CLOSE = 0x8;
const FINAL_BINARY = 0x82;
const MAX_HEAD_BYTES = 10;

export type FrameWalk = {
  /** Of the latest chunk: how many frames begin in it. */
  frames: number;
  /** Whether the chunk is nothing but whole binary frames of a usual size, nearly all that a room receives. */
  isSimple: boolean;
  /** Whether it has a piece of a message. Our clients send every message in one frame. The rest is not looked at. */
  hasPiece: boolean;
  /** Whether it has the frame by which a client closes, or agrees to be closed. */
  hasClose: boolean;
  /** The bytes of the current frame that are still to come. */
  left: number;
  /** The beginning of a frame whose head is not complete. */
  head: readonly number[];
};

export function createFrameWalk(): FrameWalk {
  return { frames: 0, isSimple: true, hasPiece: false, hasClose: false, left: 0, head: [] };
}

/** Looks at the heads of all frames in the next bytes from the client. */
export function walkFrames(walk: FrameWalk, chunk: Uint8Array): void {
  walk.frames = 0;
  walk.isSimple = walk.left === 0 && walk.head.length === 0;
  walk.hasClose = false;
  let at = 0;
  if (walk.left > 0) {
    at = Math.min(walk.left, chunk.length);
    walk.left -= at;
  }
  while (at < chunk.length && !walk.hasPiece) {
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
  if (opcode === CLOSE) walk.hasClose = true;
  else if (opcode === CONTINUATION || !(first & FINAL)) walk.hasPiece = true;
  if (first !== FINAL_BINARY || !(lengthByte & MASKED)) walk.isSimple = false;
  const short = lengthByte & ~MASKED;
  if (short <= SHORT) return;
  const length = (bytes[at + 2]! << 8) + bytes[at + 3]!;
  // A WebSocket library refuses longer ones.
  const isUsual = short === LENGTH_IN_TWO_BYTES && length <= MAX_MESSAGE_BYTES;
  if (!isUsual) walk.isSimple = false;
}
