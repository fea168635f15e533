/** Writes numbers of any width one after another, lowest bit first. */
export type BitWriter = {
  readonly bytes: Uint8Array;
  /** Whole bytes written. */
  length: number;
  pending: number;
  pendingBits: number;
};

/** Past the end it reads zeros and sets `isMalformed`, which the caller checks once, at the end. */
export type BitReader = {
  bytes: Uint8Array;
  offset: number;
  pending: number;
  pendingBits: number;
  isMalformed: boolean;
};

export function createBitWriter(capacityBytes: number): BitWriter {
  return { bytes: new Uint8Array(capacityBytes), length: 0, pending: 0, pendingBits: 0 };
}

export function resetWriter(writer: BitWriter): void {
  writer.length = 0;
  writer.pending = 0;
  writer.pendingBits = 0;
}

/** Up to 24 bits; `value` must fit them. */
export function writeBits(writer: BitWriter, value: number, count: number): void {
  let pending = writer.pending | (value << writer.pendingBits);
  let pendingBits = writer.pendingBits + count;
  while (pendingBits >= 8) {
    writer.bytes[writer.length++] = pending;
    pending >>>= 8;
    pendingBits -= 8;
  }
  writer.pending = pending;
  writer.pendingBits = pendingBits;
}

/** Up to 64 bits, to be written later, perhaps many times. */
export type BitWord = { low: number; high: number; count: number };

export function clearWord(word: BitWord): void {
  word.low = 0;
  word.high = 0;
  word.count = 0;
}

/** Up to 24 bits; `value` must fit them. */
export function addBits(word: BitWord, value: number, count: number): void {
  const at = word.count;
  if (at < 32) word.low |= value << at;
  if (at >= 32) word.high |= value << (at - 32);
  else if (at + count > 32) word.high |= value >>> (32 - at);
  word.count = at + count;
}

/** Writes the first `count` bits of a word. */
export function writeWord(writer: BitWriter, low: number, high: number, count: number): void {
  if (count <= 24) {
    writeBits(writer, low, count);
    return;
  }
  writeBits(writer, low & 0xffff, 16);
  writeBits(writer, low >>> 16, Math.min(16, count - 16));
  if (count <= 32) return;
  writeBits(writer, high & 0xffff, Math.min(16, count - 32));
  if (count > 48) writeBits(writer, high >>> 16, count - 48);
}

/**
 * A number from 0 to 2³¹ − 1 of any size: groups of four bits, each with a bit that says whether more follow.
 */
export function writeVar(writer: BitWriter, value: number): void {
  let rest = value;
  while (rest > 15) {
    writeBits(writer, 16 | (rest & 15), 5);
    rest >>>= 4;
  }
  writeBits(writer, rest, 5);
}

export function writeBytes(writer: BitWriter, bytes: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i++) writeBits(writer, bytes[i]!, 8);
}

export function writeFloat(writer: BitWriter, value: number): void {
  float.setFloat64(0, value);
  writeBytes(writer, floatBytes, 0, 8);
}

/** Pads the last byte and returns the message, which is good until the writer is used again. */
export function finishWriting(writer: BitWriter): Uint8Array {
  if (writer.pendingBits > 0) writeBits(writer, 0, 8 - writer.pendingBits);
  if (writer.length > writer.bytes.length) throw new RangeError('The message outgrew its writer');
  return writer.bytes.subarray(0, writer.length);
}

export function createBitReader(bytes: Uint8Array): BitReader {
  return { bytes, offset: 0, pending: 0, pendingBits: 0, isMalformed: false };
}

export function readBits(reader: BitReader, count: number): number {
  while (reader.pendingBits < count) {
    if (reader.offset >= reader.bytes.length) reader.isMalformed = true;
    else reader.pending |= reader.bytes[reader.offset++]! << reader.pendingBits;
    reader.pendingBits += 8;
  }
  const value = reader.pending & ((1 << count) - 1);
  reader.pending >>>= count;
  reader.pendingBits -= count;
  return value;
}

/** As `readBits`, for a number that was truncated to its low bits: the highest of them is the sign. */
export function readSigned(reader: BitReader, count: number): number {
  return (readBits(reader, count) << (32 - count)) >> (32 - count);
}

export function readVar(reader: BitReader): number {
  let value = 0;
  for (let shift = 0; shift < 32; shift += 4) {
    const group = readBits(reader, 5);
    value |= (group & 15) << shift;
    if (group < 16) {
      if (value < 0) reader.isMalformed = true;
      return value >>> 0;
    }
  }
  reader.isMalformed = true;
  return 0;
}

export function readBytes(reader: BitReader, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let i = 0; i < count; i++) bytes[i] = readBits(reader, 8);
  return bytes;
}

/** May be NaN or infinite: the caller checks. */
export function readFloat(reader: BitReader): number {
  for (let i = 0; i < 8; i++) floatBytes[i] = readBits(reader, 8);
  return float.getFloat64(0);
}

/** Whether the message was read exactly to its end. */
export function isFullyRead(reader: BitReader): boolean {
  return !reader.isMalformed && reader.offset === reader.bytes.length && reader.pending === 0;
}

/** How many bits hold every number from 0 to `max`. */
export function bitsFor(max: number): number {
  return 32 - Math.clz32(max);
}

const floatBytes = new Uint8Array(8);
const float = new DataView(floatBytes.buffer);
