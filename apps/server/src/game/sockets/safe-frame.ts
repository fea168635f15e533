/*
 * A frame of ROOM_DATA is a type and, mostly, one value, in MessagePack as the client's library writes it. The library
 * that reads it knows many extensions besides, and some of them cost far more than they weigh: with references, five
 * hundred bytes become a value that takes minutes to print. So whatever our client never writes is not decoded at all.
 */

/** Deeper than any message of the protocol. */
const MAX_DEPTH = 4;

type Cursor = { readonly frame: Uint8Array; at: number; hasRecord: boolean };

/** Whether a frame has nothing in it but a type and a plain value: numbers, texts, bytes, lists, and objects. */
export function isSafeFrame(frame: Uint8Array): boolean {
  const cursor = { frame, at: 1, hasRecord: false };
  if (!hasPlainType(frame) || !skipValue(cursor, MAX_DEPTH)) return false;
  return cursor.at === frame.length || (skipRecord(cursor) && cursor.at === frame.length);
}

/**
 * Whether the type of a frame is a small number or a short text in ASCII. Another library reads it than the value, by other
 * rules: lengths in two bytes start with the small one, and a list is one byte. Were the two to disagree on where the type
 * ends, the value would be one that nobody looked at.
 */
export function hasPlainType(frame: Uint8Array): boolean {
  const token = frame[1];
  if (token === undefined) return false;
  if (token < FIXMAP) return true;
  if (token <= FIXSTR || token >= NIL) return false;
  const text = frame.subarray(2, 2 + token - FIXSTR);
  return text.every((byte) => byte < 0x80);
}

/** The library writes an object as a record: its names once, then a value for each. Only the whole payload is one. */
function skipRecord(cursor: Cursor): boolean {
  const { frame, at } = cursor;
  if (frame[at] !== FIXEXT_1 || frame[at + 1] !== RECORD) return skipValue(cursor, 0);
  cursor.at += 3;
  const names = frame[cursor.at]! - FIXARRAY;
  if (!(names >= 0 && names < 16)) return false;
  cursor.at++;
  cursor.hasRecord = true;
  return skipMany(cursor, names, MAX_DEPTH) && skipMany(cursor, names, 1);
}

const FIXMAP = 0x80;
const FIXARRAY = 0x90;
const FIXSTR = 0xa0;
const NIL = 0xc0;
const FIXEXT_1 = 0xd4;
const NEGATIVE = 0xe0;
const RECORD = 0x72;
const UNDEFINED = 0x00;

/** How many bytes follow these. */
const FIXED_BYTES: { readonly [token: number]: number } = {
  [NIL]: 0,
  194: 0, // false
  195: 0, // true
  202: 4, // floats
  203: 8,
  204: 1, // whole numbers
  205: 2,
  206: 4,
  207: 8,
  208: 1,
  209: 2,
  210: 4,
  211: 8,
};

/** How many bytes their length takes. */
const COUNTED_BYTES: { readonly [token: number]: 1 | 2 | 4 } = {
  196: 1, // bytes
  197: 2,
  198: 4,
  217: 1, // texts
  218: 2,
  219: 4,
};

/** Lists count items, and maps names and values: the bytes of the count, and how many values each stands for. */
const COLLECTIONS: { readonly [token: number]: readonly [bytes: 2 | 4, values: 1 | 2] } = {
  220: [2, 1],
  221: [4, 1],
  222: [2, 2],
  223: [4, 2],
};

function skipValue(cursor: Cursor, depth: number): boolean {
  const { frame } = cursor;
  const token = frame[cursor.at++];
  if (token === undefined) return false;
  if (token < 0x40 || token >= NEGATIVE) return true;
  // After a record has been defined, these stand for another one.
  if (token < FIXMAP) return !cursor.hasRecord;
  if (token < FIXARRAY) return skipMany(cursor, 2 * (token - FIXMAP), depth + 1);
  if (token < FIXSTR) return skipMany(cursor, token - FIXARRAY, depth + 1);
  if (token < NIL) return skipBytes(cursor, token - FIXSTR);
  if (token === FIXEXT_1) return frame[cursor.at] === UNDEFINED && skipBytes(cursor, 2);
  const bytes = FIXED_BYTES[token];
  if (bytes !== undefined) return skipBytes(cursor, bytes);
  const counted = COUNTED_BYTES[token];
  if (counted !== undefined) return skipBytes(cursor, readCount(cursor, counted));
  const collection = COLLECTIONS[token];
  if (!collection) return false;
  const [countBytes, values] = collection;
  return skipMany(cursor, values * readCount(cursor, countBytes), depth + 1);
}

function skipMany(cursor: Cursor, count: number, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  for (let left = count; left > 0; left--) if (!skipValue(cursor, depth)) return false;
  return true;
}

function skipBytes(cursor: Cursor, count: number): boolean {
  cursor.at += count;
  return cursor.at <= cursor.frame.length;
}

/** Past the end of the frame, it is more than the frame has. */
function readCount(cursor: Cursor, bytes: 1 | 2 | 4): number {
  let count = 0;
  for (let i = 0; i < bytes; i++) count = count * 256 + (cursor.frame[cursor.at++] ?? 256);
  return count;
}
