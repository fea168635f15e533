import type { Duplex } from 'node:stream';
import type { Socket } from 'socket.io';
import type { EncodedEvent } from './event-frames.ts';

export type RawSocket = Socket['conn'];

/** A client that does not read is closed before its backlog fills the memory. */
const MAX_UNSENT = { packets: 50, bytes: 256 * 1024 } as const;

type WebSocket = { readonly readyState: number; readonly OPEN: number; readonly _socket: Duplex };

/** What the types of Engine.IO leave out. */
type Inside = {
  /** Packets that wait until the transport is ready. */
  readonly writeBuffer: readonly unknown[];
  /** Only a WebSocket transport has the socket. */
  readonly transport: { readonly socket: WebSocket };
};

/**
 * Writes events to many sockets. Engine.IO and `ws` cost more than the rest of a write: a packet with its listeners and
 * callbacks for each socket. So frames go straight to the connection, unless packets wait for it, which they must not
 * overtake.
 */
export function writeEvents(sockets: Iterable<RawSocket>, events: readonly EncodedEvent[]): void {
  const frames = Buffer.concat(events.map(({ frame }) => frame));
  for (const socket of sockets) {
    const { writeBuffer, transport } = socket as unknown as Inside;
    if (writeBuffer.length > MAX_UNSENT.packets) socket.close(true);
    else if (socket.transport.name !== 'websocket') for (const { packet } of events) socket.write(packet);
    else if (writeBuffer.length > 0) writeBehind(socket, frames);
    else if (socket.readyState === 'open') writeAtOnce(socket, transport.socket, frames);
  }
}

/** Socket.IO's own broadcasts pass frames in the same way. */
function writeBehind(socket: RawSocket, frames: Buffer): void {
  socket.write('', { compress: false, wsPreEncodedFrame: [frames] } as { compress: boolean });
}

function writeAtOnce(
  socket: RawSocket,
  { readyState, OPEN, _socket: stream }: WebSocket,
  frames: Buffer,
): void {
  // After the frame that closes, none may follow.
  if (readyState !== OPEN) return;
  if (stream.writableLength > MAX_UNSENT.bytes) socket.close(true);
  else stream.write(frames);
}
