/*
 * WebSocket frames in one piece: `ws` writes the head of a frame apart from its body, which costs more than encoding a view.
 */

const FINAL_TEXT = 0x81;
const FINAL_BINARY = 0x82;
const FINAL_PING = 0x89;
const SHORT = 125;
const LENGTH_IN_TWO_BYTES = 126;
const LENGTH_IN_EIGHT_BYTES = 127;

/** Asks a client for an answer. Its WebSocket gives it, whatever the page does. */
export const PING_FRAME = Buffer.of(FINAL_PING, 0);

export function textFrameOf(text: string): Buffer {
  const { frame, bodyAt } = openFrame(FINAL_TEXT, Buffer.byteLength(text));
  frame.write(text, bodyAt);
  return frame;
}

export function binaryFrameOf(body: Uint8Array): Buffer {
  const { frame, bodyAt } = openFrame(FINAL_BINARY, body.length);
  frame.set(body, bodyAt);
  return frame;
}

/** A message of bytes: its number, and the rest. */
export function stateFrameOf(number: number, bytes: Uint8Array): Buffer {
  const { frame, bodyAt } = openFrame(FINAL_BINARY, 1 + bytes.length);
  frame[bodyAt] = number;
  frame.set(bytes, bodyAt + 1);
  return frame;
}

/** A frame with its head, and where its body begins. */
function openFrame(first: number, length: number): { readonly frame: Buffer; readonly bodyAt: number } {
  const bodyAt = length <= SHORT ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(bodyAt + length);
  frame[0] = first;
  if (bodyAt === 2) frame[1] = length;
  else if (bodyAt === 4) {
    frame[1] = LENGTH_IN_TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_IN_EIGHT_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  return { frame, bodyAt };
}
