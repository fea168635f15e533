/*
 * Whole numbers of zero and more in as few bytes as they need, seven bits each, the smallest first; other numbers in eight;
 * texts as the length of their UTF-8 and that.
 */

export type ByteWriter = ReturnType<typeof createByteWriter>;
export type ByteReader = ReturnType<typeof createByteReader>;

const toUtf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

export function createByteWriter() {
  let bytes = new Uint8Array(256);
  let length = 0;
  const reserve = (count: number) => {
    if (length + count <= bytes.length) return;
    const larger = new Uint8Array(2 * (length + count));
    larger.set(bytes);
    bytes = larger;
  };
  const whole = (value: number) => {
    reserve(8);
    let left = value;
    for (; left > 0x7f; left = Math.floor(left / 0x80)) bytes[length++] = 0x80 | (left % 0x80);
    bytes[length++] = left;
  };
  return {
    whole,
    number(value: number) {
      reserve(8);
      new DataView(bytes.buffer).setFloat64(length, value);
      length += 8;
    },
    text(value: string) {
      // Nearly all are short and ASCII, for which the encoder is slow.
      if (value.length < 0x80 && isAscii(value)) {
        reserve(1 + value.length);
        bytes[length++] = value.length;
        for (let i = 0; i < value.length; i++) bytes[length++] = value.charCodeAt(i);
        return;
      }
      const utf8 = toUtf8.encode(value);
      whole(utf8.length);
      reserve(utf8.length);
      bytes.set(utf8, length);
      length += utf8.length;
    },
    byte(value: number) {
      reserve(1);
      bytes[length++] = value;
    },
    /** What has been written; nothing may be written afterwards. */
    end: () => bytes.subarray(0, length),
  };
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x80) return false;
  return true;
}

/** Throws a RangeError at the end of the bytes. */
export function createByteReader(bytes: Uint8Array, start = 0) {
  let at = start;
  const take = (count: number): number => {
    const from = at;
    at += count;
    if (at > bytes.length) throw new RangeError('The message ends too early');
    return from;
  };
  const whole = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = bytes[take(1)]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  return {
    whole,
    number: () => new DataView(bytes.buffer, bytes.byteOffset).getFloat64(take(8)),
    text: () => {
      const length = whole();
      const from = take(length);
      return fromUtf8.decode(bytes.subarray(from, from + length));
    },
    byte: () => bytes[take(1)]!,
    isAtEnd: () => at === bytes.length,
  };
}
