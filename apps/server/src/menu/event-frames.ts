import type { MenuServerToClient } from '@engulf/protocol/menu/events';

/** An event that is encoded once, however many sockets it goes to. */
export type EncodedEvent = {
  /** A Socket.IO packet, for a socket that polls. */
  readonly packet: string;
  /** The same as a WebSocket frame of Engine.IO. */
  readonly frame: Buffer;
};

export type EventOf<Name extends keyof MenuServerToClient> = Parameters<MenuServerToClient[Name]>[0];

/** Socket.IO's EVENT in the main namespace. */
const EVENT = '2';
/** Engine.IO's MESSAGE. */
const MESSAGE = '4';

export function encodeEvent<Name extends keyof MenuServerToClient>(
  name: Name,
  payload: EventOf<Name>,
): EncodedEvent {
  const packet = EVENT + JSON.stringify([name, payload]);
  return { packet, frame: textFrame(Buffer.from(MESSAGE + packet)) };
}

const FINAL_TEXT = 0x81;

/** A whole text message from a server, which does not mask (RFC 6455). */
function textFrame(payload: Buffer): Buffer {
  if (payload.length < 126) return Buffer.concat([Buffer.of(FINAL_TEXT, payload.length), payload]);
  const header = Buffer.alloc(payload.length < 65_536 ? 4 : 10);
  header[0] = FINAL_TEXT;
  if (header.length === 4) {
    header[1] = 126;
    header.writeUInt16BE(payload.length, 2);
  } else {
    header[1] = 127;
    header.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  return Buffer.concat([header, payload]);
}
