import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

const KINDS = ['http', 'menu', 'room'] as const;
type Kind = (typeof KINDS)[number];

type Open = { kind: Kind; readBytes: number; writtenBytes: number };

/**
 * Open connections and the bytes on them, by kind. The system counts the bytes of a socket; they are collected when
 * somebody reads the metrics and when a socket closes, so that sending costs nothing more.
 */
export function measureSockets(
  { registry }: Metrics,
  server: Pick<Server, 'on'>,
  kindOfUpgrade: (request: IncomingMessage) => 'menu' | 'room',
): { countRoomBytes(up: number, down: number): void } {
  const open = new Map<Socket, Open>();
  const bytes = new Counter({
    name: 'engulf_socket_bytes_total',
    help: 'Bytes on the connections of clients; up is from the client',
    labelNames: ['kind', 'direction'],
    registers: [registry],
    collect: () => {
      for (const [socket, state] of open) count(socket, state);
    },
  });
  const count = (socket: Socket, state: Open): void => {
    // A socket that was handed to a room process has none here.
    const bytesRead = Math.max(socket.bytesRead, state.readBytes);
    const bytesWritten = Math.max(socket.bytesWritten, state.writtenBytes);
    bytes.inc({ kind: state.kind, direction: 'up' }, bytesRead - state.readBytes);
    bytes.inc({ kind: state.kind, direction: 'down' }, bytesWritten - state.writtenBytes);
    state.readBytes = bytesRead;
    state.writtenBytes = bytesWritten;
  };
  new Gauge({
    name: 'engulf_sockets',
    help: 'Open connections of clients',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const kind of KINDS) this.set({ kind }, 0);
      for (const { kind } of open.values()) this.inc({ kind });
    },
  });
  server.on('connection', (socket: Socket) => {
    const state: Open = { kind: 'http', readBytes: 0, writtenBytes: 0 };
    open.set(socket, state);
    socket.once('close', () => {
      count(socket, state);
      open.delete(socket);
    });
  });
  server.on('upgrade', (request: IncomingMessage) => {
    const state = open.get(request.socket);
    if (state) state.kind = kindOfUpgrade(request);
  });
  return {
    countRoomBytes: (up, down) => {
      bytes.inc({ kind: 'room', direction: 'up' }, up);
      bytes.inc({ kind: 'room', direction: 'down' }, down);
    },
  };
}
