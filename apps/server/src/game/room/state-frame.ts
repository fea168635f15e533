import { Protocol } from '@colyseus/core';

const FINAL_BINARY = 0x82;
const SHORT = 125;
const LENGTH_IN_TWO_BYTES = 126;
const LENGTH_IN_EIGHT_BYTES = 127;

/**
 * The WebSocket frame of an update, as Colyseus and `ws` make it, but in one piece: they copy the bytes twice and write
 * the head of the frame apart, which costs more than encoding the view. `type` must be below 128.
 */
export function stateFrame(type: number, bytes: Uint8Array): Buffer {
  const length = 2 + bytes.length;
  const headBytes = length <= SHORT ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(headBytes + length);
  frame[0] = FINAL_BINARY;
  if (headBytes === 2) frame[1] = length;
  else if (headBytes === 4) {
    frame[1] = LENGTH_IN_TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_IN_EIGHT_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame[headBytes] = Protocol.ROOM_DATA_BYTES;
  frame[headBytes + 1] = type;
  frame.set(bytes, headBytes + 2);
  return frame;
}
