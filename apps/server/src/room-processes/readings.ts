import type { Socket } from 'node:net';
import type { GameMeter } from '../game/ports.ts';
import type { Readings } from './contract.ts';

type Noted = { -readonly [Name in keyof GameMeter]: Parameters<GameMeter[Name]>[] };

/** Keeps what the meter of a room process is told, and the bytes on its sockets, until the host is told of them. */
export function createReadings() {
  let noted = nothing();
  const sockets = new Set<Socket>();
  /** Bytes of sockets that are closed, and of all that the host knows of. */
  const closed = { up: 0, down: 0 };
  const told = { up: 0, down: 0 };

  const meter: GameMeter = {
    tick: (...parameters) => noted.tick.push(parameters),
    room: (...parameters) => noted.room.push(parameters),
    connection: (...parameters) => noted.connection.push(parameters),
    refused: (...parameters) => noted.refused.push(parameters),
  };
  return {
    meter,
    watch: (socket: Socket): void => {
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        closed.up += socket.bytesRead;
        closed.down += socket.bytesWritten;
      });
    },
    take: (): Readings => {
      let { up, down } = closed;
      for (const socket of sockets) {
        up += socket.bytesRead;
        down += socket.bytesWritten;
      }
      const taken = { ...noted, bytes: { up: up - told.up, down: down - told.down } };
      noted = nothing();
      Object.assign(told, { up, down });
      return taken;
    },
  };
}

function nothing(): Noted {
  return { tick: [], room: [], connection: [], refused: [] };
}
