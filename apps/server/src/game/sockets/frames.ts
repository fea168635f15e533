import { Protocol } from '@colyseus/core';

/*
 * WebSocket frames in one piece. `ws` writes the head of a frame apart and Colyseus copies an update twice, which costs
 * more than encoding a view.
 */

const FINAL_BINARY = 0x82;
const FINAL_PING = 0x89;
const SHORT = 125;
const LENGTH_IN_TWO_BYTES = 126;
const LENGTH_IN_EIGHT_BYTES = 127;

/** Asks a client for an answer. Its WebSocket gives it, whatever the page does. */
export const PING_FRAME = Buffer.of(FINAL_PING, 0);

let latest: { readonly message: Uint8Array; readonly frame: Buffer } | undefined;

/** The frame of a message of Colyseus, which must not change any more. What goes to many is framed once. */
export function messageFrame(message: Uint8Array): Buffer {
  if (latest?.message === message) return latest.frame;
  const { frame, bodyAt } = openFrame(message.length);
  frame.set(message, bodyAt);
  latest = { message, frame };
  return frame;
}

/** The frame of an update, as Colyseus makes it. `type` must be below 128. */
export function stateFrame(type: number, bytes: Uint8Array): Buffer {
  const { frame, bodyAt } = openFrame(2 + bytes.length);
  frame[bodyAt] = Protocol.ROOM_DATA_BYTES;
  frame[bodyAt + 1] = type;
  frame.set(bytes, bodyAt + 2);
  return frame;
}

/** A frame with its head, and where its body begins. */
function openFrame(length: number): { readonly frame: Buffer; readonly bodyAt: number } {
  const bodyAt = length <= SHORT ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(bodyAt + length);
  frame[0] = FINAL_BINARY;
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
