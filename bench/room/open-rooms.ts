import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entrance } from '@engulf/server/game/entrance/entrance';
import { letIn } from '@engulf/server/game/entrance/let-in';
import type { GameMeter, GamePorts } from '@engulf/server/game/ports';
import { startRooms } from '@engulf/server/game/room/start-rooms';
import { openRoomSockets } from '@engulf/server/game/sockets/accept';
import { systemClock } from '@engulf/server/platform/clock';
import { openGateway } from '@engulf/server/room-processes/gateway';
import { startRoomProcess } from '@engulf/server/room-processes/start-room-process';
import { createMemoryChat } from '@engulf/server/testing/game/memory-chat';
import type { Rules } from '@engulf/sim/rules';
import type { Logger } from 'pino';
import { busiestOf, type FollowTicks, startMeasuringThread, type ThreadFigures } from './thread-figures.ts';

/** Rooms, and what can be measured of whoever runs them. */
export type MeasuredRooms = {
  startThreads(tickMs: number): () => Promise<ThreadFigures>;
  /** On all sockets so far. */
  bytes(): { readonly down: number; readonly up: number };
  rssBytes(): number;
};

type Deps = { readonly ports: GamePorts; readonly rules: Rules };

export async function openRoomsHere(
  server: Server,
  entrance: Entrance,
  { rooms, ...deps }: Deps & { readonly rooms: number; readonly logger: Logger },
): Promise<MeasuredRooms> {
  let onTick = () => {};
  const followTicks: FollowTicks = (listener) => {
    onTick = listener;
    return () => {
      onTick = () => {};
    };
  };
  const sockets = new Set<Socket>();
  /** Of sockets that are closed, so that nobody's bytes are lost when a player comes back on another. */
  const closed = { down: 0, up: 0 };
  const roomSockets = openRoomSockets(entrance);
  server.on('upgrade', (request, duplex, head) => {
    const socket = duplex as Socket;
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      closed.down += socket.bytesWritten;
      closed.up += socket.bytesRead;
    });
    if (letIn(entrance, request)) roomSockets.accept(request, duplex, head);
  });
  const game = await startRooms({
    ...deps,
    chat: createMemoryChat(),
    clock: systemClock,
    isTesting: false,
    meter: tickMeter(rooms, () => onTick()),
  });
  roomSockets.enter = game.enter;
  return {
    startThreads: (tickMs) => {
      const stop = startMeasuringThread(tickMs, followTicks);
      return async () => stop();
    },
    bytes: () => {
      let { down, up } = closed;
      for (const socket of sockets) {
        down += socket.bytesWritten;
        up += socket.bytesRead;
      }
      return { down, up };
    },
    rssBytes: process.memoryUsage.rss,
  };
}

function tickMeter(rooms: number, onAll: () => void): GameMeter {
  let ticks = 0;
  return {
    tick: () => {
      ticks++;
      if (ticks % rooms === 0) onAll();
    },
    room: () => {},
    connection: () => {},
    refused: () => {},
  };
}

/** The rooms take turns over the processes. Each measures itself (room-process-probe.ts). */
export async function openRoomsApart(
  server: Server,
  entrance: Entrance,
  { ports, rules, processes }: Deps & { readonly processes: number },
): Promise<MeasuredRooms> {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const probe = new URL('./room-process-probe.ts', import.meta.url);
  probe.searchParams.set('folder', folder);
  process.env['NODE_OPTIONS'] = `--import ${probe.href}`;
  const bytes = { down: 0, up: 0 };
  const gateway = openGateway(server, entrance);
  const lobbies = await ports.listLobbies();
  const started = await Promise.all(
    Array.from({ length: processes }, (_, nth) => {
      const own = lobbies.filter((_lobby, index) => index % processes === nth);
      return startRoomProcess(
        {
          ports: { ...ports, listLobbies: async () => own },
          chat: createMemoryChat(),
          clock: systemClock,
          onBytes: (up, down) => {
            bytes.up += up;
            bytes.down += down;
          },
        },
        {
          rules,
          isTesting: false,
          limitScale: 1_000,
          log: { logLevel: 'warn', logFile: undefined, dataDir: '', traces: undefined },
        },
      );
    }),
  );
  for (const room of started) gateway.add(room);
  const signal = () => {
    for (const { pid } of started) process.kill(pid, 'SIGUSR2');
  };
  return {
    startThreads: () => {
      signal();
      return async () => {
        signal();
        return busiestOf(await Promise.all(started.map(({ pid }) => readFigures(join(folder, String(pid))))));
      };
    },
    bytes: () => ({ ...bytes }),
    rssBytes: () => process.memoryUsage.rss() + started.reduce((sum, { pid }) => sum + residentBytes(pid), 0),
  };
}

async function readFigures(file: string): Promise<ThreadFigures> {
  for (;;) {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as ThreadFigures;
    } catch {
      await sleep(20);
    }
  }
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
}
