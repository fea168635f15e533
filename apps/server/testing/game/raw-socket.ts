import type { WebSocket } from 'ws';
import { openSocket } from './arena-client.ts';
import type { ArenaServer } from './arena-server.ts';

/** A socket that says only what the test tells it to. */
export type RawClient = {
  readonly socket: WebSocket;
  /** Texts, and the bytes of binary frames. */
  readonly received: (string | Uint8Array)[];
  closeCode: number | undefined;
  send(frame: string | Uint8Array): void;
};

/** Resolves when the connection is open. */
export async function connectRaw(server: ArenaServer, cookie = ''): Promise<RawClient> {
  const socket = openSocket(server, cookie);
  const client: RawClient = {
    socket,
    received: [],
    closeCode: undefined,
    send: (frame) => socket.send(frame),
  };
  socket.on('message', (data: Buffer, isBinary) => client.received.push(isBinary ? data : data.toString()));
  socket.on('error', () => {});
  socket.on('close', (code) => {
    client.closeCode = code;
  });
  await new Promise((resolve) => socket.once('open', resolve));
  return client;
}
