import { err, ok, type Result } from '@engulf/domain/errors/result';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  createReader,
  createWriter,
  DamagedBytes,
  damaged,
  expectEnd,
  type RecordingFault,
  readByte,
  readVar,
  writeByte,
  writeVar,
  writtenBytes,
} from './bytes.ts';

/*
 * A recording is a sequence of frames: one header, segments, one end. Each frame ends with a SHA-256 over everything up
 * to there, so the last hash covers the whole recording, and a changed bit is found in its own frame.
 *
 *   "EGR" version kind packing | body length u32 | packed length u32 | packed body | chain, 32 bytes
 */

/** Of the format and of the simulation: raised when the same bytes would be read, or played, in another way. */
export const RECORDING_VERSION = 6;
/** Those of released versions stay readable, see header.ts. */
export const KNOWN_VERSIONS: readonly number[] = [3, 4, 5, RECORDING_VERSION];
const HEAD_BYTES = 14;
const HASH_BYTES = 32;
/** A segment with a keyframe of the largest arena is far smaller. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** The position in these lists is the code. Append only. */
const KINDS = ['header', 'segment', 'end'] as const;
const PACKINGS = ['plain', 'deflate'] as const;
export type FrameKind = (typeof KINDS)[number];
type Packing = (typeof PACKINGS)[number];

/** What the next frame of a recording continues. */
export type ChainLink = {
  /** The same one in all frames of a recording. */
  readonly version: number;
  /** Of the recording up to and including this frame. */
  readonly chain: Uint8Array;
};

export type Frame = ChainLink & {
  readonly kind: FrameKind;
  readonly packing: Packing;
  readonly bodyLength: number;
  readonly packed: Uint8Array;
};

/** What the first frame of a new recording continues. */
export const FIRST_LINK: ChainLink = firstLink(RECORDING_VERSION);

export function firstLink(version: number): ChainLink {
  return { version, chain: sha256(utf8ToBytes(`engulf recording ${version}`)) };
}

/** The bytes of a frame, chained to the one before it. The last 32 are its own chain hash. */
export function writeFrame(
  { kind, packing, bodyLength, packed }: Omit<Frame, keyof ChainLink>,
  { version, chain: previousChain }: ChainLink,
): { bytes: Uint8Array; link: ChainLink } {
  const head = new Uint8Array(HEAD_BYTES);
  head.set([0x45, 0x47, 0x52, version, KINDS.indexOf(kind), PACKINGS.indexOf(packing)]);
  const view = new DataView(head.buffer);
  view.setUint32(6, bodyLength, true);
  view.setUint32(10, packed.length, true);
  const chain = sha256(concatBytes(previousChain, head, packed));
  return { bytes: concatBytes(head, packed, chain), link: { version, chain } };
}

/** Reads the frame at a position of bytes of unknown origin. The first of a recording continues nothing. */
export function readFrame(
  bytes: Uint8Array,
  at: number,
  previous?: ChainLink,
): Result<{ frame: Frame; next: number }, RecordingFault> {
  const fault = (problem: string, position = at) => err({ problem, position });
  if (bytes.length - at < HEAD_BYTES + HASH_BYTES) return fault('cut short');
  const head = bytes.subarray(at, at + HEAD_BYTES);
  if (head[0] !== 0x45 || head[1] !== 0x47 || head[2] !== 0x52) return fault('not a frame of a recording');
  const version = head[3]!;
  if (!KNOWN_VERSIONS.includes(version)) return fault(`version ${version} is not known`);
  const { version: expected, chain: previousChain } = previous ?? firstLink(version);
  if (version !== expected) return fault(`version ${version} in a recording of version ${expected}`);
  const kind = KINDS[head[4]!];
  const packing = PACKINGS[head[5]!];
  if (!kind || !packing) return fault('an unknown kind of frame');
  const view = new DataView(head.buffer, head.byteOffset);
  const bodyLength = view.getUint32(6, true);
  const packedLength = view.getUint32(10, true);
  if (bodyLength > MAX_BODY_BYTES) return fault('a frame is too large');
  if (packing === 'plain' && packedLength !== bodyLength) return fault('two lengths differ');
  const end = at + HEAD_BYTES + packedLength;
  if (end + HASH_BYTES > bytes.length) return fault('cut short');
  const packed = bytes.subarray(at + HEAD_BYTES, end);
  const chain = bytes.subarray(end, end + HASH_BYTES);
  if (!isSame(chain, sha256(concatBytes(previousChain, head, packed)))) {
    return fault('the bytes do not fit their hash');
  }
  return ok({ frame: { version, kind, packing, bodyLength, packed, chain }, next: end + HASH_BYTES });
}

/** How a recording ends: with the match, or where its process was killed. */
export type RecordingEnd = { readonly finalTick: number; readonly isCut: boolean };

export function writeEnd({ finalTick, isCut }: RecordingEnd): Uint8Array {
  const writer = createWriter();
  writeVar(writer, finalTick);
  writeByte(writer, isCut ? 1 : 0);
  return writtenBytes(writer);
}

export function readEnd(body: Uint8Array): Result<RecordingEnd, RecordingFault> {
  const reader = createReader(body);
  try {
    const finalTick = readVar(reader);
    const isCut = readByte(reader);
    if (isCut > 1) damaged(reader, 'an unknown flag');
    expectEnd(reader);
    return ok({ finalTick, isCut: isCut === 1 });
  } catch (error) {
    if (error instanceof DamagedBytes) return err(error.fault);
    throw error;
  }
}

export function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, i) => byte === right[i]);
}
