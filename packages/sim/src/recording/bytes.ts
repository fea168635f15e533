/** Why bytes are not a recording, and where that shows. */
export type RecordingFault = { readonly problem: string; readonly position: number };

/** Thrown while reading and caught by the readers, which return the fault. */
export class DamagedBytes extends Error {
  readonly fault: RecordingFault;

  constructor(problem: string, position: number) {
    super(`${problem} at byte ${position}`);
    this.fault = { problem, position };
  }
}

export type ByteWriter = { bytes: Uint8Array; length: number };

export function createWriter(): ByteWriter {
  return { bytes: new Uint8Array(1024), length: 0 };
}

export function writtenBytes({ bytes, length }: ByteWriter): Uint8Array {
  return bytes.slice(0, length);
}

export function writeByte(writer: ByteWriter, value: number): void {
  reserve(writer, 1);
  writer.bytes[writer.length++] = value;
}

export function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  reserve(writer, bytes.length);
  writer.bytes.set(bytes, writer.length);
  writer.length += bytes.length;
}

/** A whole number from 0 to 2⁵³ − 1, seven bits to a byte, the lowest first. */
export function writeVar(writer: ByteWriter, value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) writeByte(writer, (rest % 128) + 128);
  writeByte(writer, rest);
}

/** A signed number between ±2⁵²: 0, -1, 1, -2, 2 … become 0, 1, 2, 3, 4 … */
export function writeSigned(writer: ByteWriter, value: number): void {
  writeVar(writer, value < 0 ? -2 * value - 1 : 2 * value);
}

export function writeU64(writer: ByteWriter, value: bigint): void {
  reserve(writer, 8);
  new DataView(writer.bytes.buffer).setBigUint64(writer.length, value, true);
  writer.length += 8;
}

export function writeFloat(writer: ByteWriter, value: number): void {
  reserve(writer, 8);
  new DataView(writer.bytes.buffer).setFloat64(writer.length, value, true);
  writer.length += 8;
}

/** Bytes with their length before them. */
export function writeBlob(writer: ByteWriter, bytes: Uint8Array): void {
  writeVar(writer, bytes.length);
  writeBytes(writer, bytes);
}

/** Plain text: ids and JSON. */
export function writeText(writer: ByteWriter, text: string): void {
  writeBlob(
    writer,
    Uint8Array.from(text, (char) => char.charCodeAt(0)),
  );
}

function reserve(writer: ByteWriter, more: number): void {
  if (writer.length + more <= writer.bytes.length) return;
  const larger = new Uint8Array(Math.max(writer.bytes.length * 2, writer.length + more));
  larger.set(writer.bytes.subarray(0, writer.length));
  writer.bytes = larger;
}

export type ByteReader = { readonly bytes: Uint8Array; at: number };

export function createReader(bytes: Uint8Array): ByteReader {
  return { bytes, at: 0 };
}

export function readByte(reader: ByteReader): number {
  return readBytes(reader, 1)[0]!;
}

/** A view of the next bytes, not a copy. */
export function readBytes(reader: ByteReader, length: number): Uint8Array {
  if (length > reader.bytes.length - reader.at) damaged(reader, 'cut short');
  reader.at += length;
  return reader.bytes.subarray(reader.at - length, reader.at);
}

export function readVar(reader: ByteReader): number {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = readByte(reader);
    value += (byte % 128) * factor;
    if (value > Number.MAX_SAFE_INTEGER) damaged(reader, 'a number is too large');
    if (byte < 128) return value;
    if (factor > Number.MAX_SAFE_INTEGER) damaged(reader, 'a number is too long');
  }
}

export function readSigned(reader: ByteReader): number {
  const value = readVar(reader);
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

export function readU64(reader: ByteReader): bigint {
  return viewOf(readBytes(reader, 8)).getBigUint64(0, true);
}

export function readFloat(reader: ByteReader): number {
  return viewOf(readBytes(reader, 8)).getFloat64(0, true);
}

export function readBlob(reader: ByteReader): Uint8Array {
  return readBytes(reader, readVar(reader));
}

export function readText(reader: ByteReader, maxLength: number): string {
  const bytes = readBlob(reader);
  if (bytes.length > maxLength) damaged(reader, 'a text is too long');
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** How many items follow. Each takes at least so many bytes, so a count can never ask for more memory than was sent. */
export function readCount(reader: ByteReader, bytesPerItem: number): number {
  const count = readVar(reader);
  if (count * bytesPerItem > reader.bytes.length - reader.at) damaged(reader, 'a count is too large');
  return count;
}

export function expectEnd(reader: ByteReader): void {
  if (reader.at !== reader.bytes.length) damaged(reader, 'bytes are left over');
}

export function damaged({ at }: ByteReader, problem: string): never {
  throw new DamagedBytes(problem, at);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
