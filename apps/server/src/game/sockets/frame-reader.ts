import { ENTRANCE_LIMITS } from '../limits.ts';

/*
 * Reads the frames of a client whose chunks are whole ones, which nearly all are: a pointer is twelve bytes. `ws` takes
 * any bytes, but makes seven buffers of each frame, and a room gets thousands of them a second.
 */

export const BINARY = 0x2;
const PONG = 0xa;

/**
 * - `simple`: whole frames, all of which `readFrames` reads
 * - `whole`: whole frames, some of them for `ws`
 * - `broken`: anything else; from then on only `ws` knows where a frame begins
 */
export type ChunkKind = 'simple' | 'whole' | 'broken';

const FINAL = 0x80;
const MASKED = 0x80;
const SHORT = 125;
const LENGTH_IN_TWO_BYTES = 126;
const MASK_BYTES = 4;

/** For a chunk that begins with a frame which is not the rest of a message. */
export function kindOfChunk(chunk: Uint8Array): ChunkKind {
  let kind: ChunkKind = 'simple';
  let at = 0;
  while (at < chunk.length) {
    const head = chunk[at]!;
    const lengthByte = chunk[at + 1] ?? 0;
    if (!(head & FINAL) || !(lengthByte & MASKED)) return 'broken';
    const shortLength = lengthByte & ~MASKED;
    if (shortLength <= SHORT) {
      const isRead = head === (FINAL | BINARY) || head === (FINAL | PONG);
      if (!isRead) kind = 'whole';
      at += 2 + MASK_BYTES + shortLength;
    } else if (shortLength === LENGTH_IN_TWO_BYTES) {
      const length = ((chunk[at + 2] ?? 0) << 8) + (chunk[at + 3] ?? 0);
      // `ws` refuses longer ones.
      const hasGoodLength = length > SHORT && length <= ENTRANCE_LIMITS.maxMessageBytes;
      if (head !== (FINAL | BINARY) || !hasGoodLength) kind = 'whole';
      at += 4 + MASK_BYTES + length;
    } else return 'broken';
  }
  return at === chunk.length ? kind : 'broken';
}

const unmasked = Buffer.allocUnsafeSlow(ENTRANCE_LIMITS.maxMessageBytes);
/** The beginnings of `unmasked`, by length: making one costs more than reading a pointer into it. */
const bodies: (Buffer | undefined)[] = new Array(unmasked.length + 1);

/** Of a `simple` chunk. The next frame, of whatever client, overwrites a body. */
export function readFrames(chunk: Uint8Array, onFrame: (opcode: number, body: Buffer) => void): void {
  let at = 0;
  while (at < chunk.length) {
    const opcode = chunk[at]! & ~FINAL;
    const shortLength = chunk[at + 1]! & ~MASKED;
    const isShort = shortLength <= SHORT;
    const length = isShort ? shortLength : (chunk[at + 2]! << 8) + chunk[at + 3]!;
    const maskAt = at + (isShort ? 2 : 4);
    const bodyAt = maskAt + MASK_BYTES;
    for (let i = 0; i < length; i++) unmasked[i] = chunk[bodyAt + i]! ^ chunk[maskAt + (i & 3)]!;
    at = bodyAt + length;
    bodies[length] ??= unmasked.subarray(0, length);
    onFrame(opcode, bodies[length]);
  }
}
