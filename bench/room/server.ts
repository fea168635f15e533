import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setPriority } from 'node:os';
import { createEntrance } from '@engulf/server/game/room/entrance';
import { letIn } from '@engulf/server/game/room/let-in';
import { matchmakingOr } from '@engulf/server/game/room/matchmaking';
import { registerGame } from '@engulf/server/game/room/register-game';
import { createSampledLog } from '@engulf/server/game/room/sampled-log';
import { openGameTransport } from '@engulf/server/game/room/transport';
import { createMemoryChat } from '@engulf/server/game/testing/memory-chat';
import { systemClock } from '@engulf/server/platform/clock';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { pino } from 'pino';
import { openPorts } from './open-ports.ts';
import { startMeasuringThread, type ThreadFigures } from './thread-figures.ts';

/* Started with the number of rooms and of clients in each. */

export type ServerRequest = { readonly type: 'start' | 'stop' };
export type ServerMessage =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'measured'; readonly figures: ServerFigures };
export type ServerFigures = ThreadFigures & {
  /** Of the average room. */
  readonly ticksPerSecond: number;
  readonly bytesDown: number;
  readonly bytesUp: number;
  readonly rssBytes: number;
  /** Undefined if it was measured for less than that. */
  readonly rssAfterMinuteBytes: number | undefined;
};

/** The players' processes compete for the same cores, and late players only play worse. */
const HIGH_PRIORITY = -10;
const TICK_MS = 1000 / standardRules.stepsPerSecond;
const [rooms, clientsPerRoom] = process.argv.slice(2).map(Number) as [number, number];
const rules: Rules = {
  ...standardRules,
  maxPlayers: Math.max(standardRules.maxPlayers, Math.ceil(clientsPerRoom * 1.25)),
};

try {
  setPriority(HIGH_PRIORITY);
} catch {
  // Only an administrator may.
}
const sockets = new Set<Socket>();
/** Of sockets that are closed, so that nobody's bytes are lost when a player comes back on another. */
const closed = { down: 0, up: 0 };
/** Each room reports once in every second's worth of ticks. */
const reportedAtMs: number[] = [];
const ports = openPorts(rooms, rules.maxPlayers, () => reportedAtMs.push(performance.now()));
const logger = pino({ level: 'warn' });
const entrance = createEntrance({
  clock: systemClock,
  log: createSampledLog(logger, systemClock),
  addressOf: ({ socket }) => socket.remoteAddress!,
  isOwnOrigin: () => true,
  limitScale: 1_000,
});
const server = createServer(matchmakingOr((_request, response) => response.writeHead(404).end(), entrance));
server.on('upgrade', (_request, duplex) => {
  const socket = duplex as Socket;
  sockets.add(socket);
  socket.once('close', () => {
    sockets.delete(socket);
    closed.down += socket.bytesWritten;
    closed.up += socket.bytesRead;
  });
});
await openGameTransport(server, entrance, (request) => letIn(entrance, request));
entrance.game = await registerGame({
  ports,
  chat: createMemoryChat(),
  clock: systemClock,
  rules,
  logger,
  isTesting: false,
});
server.listen(0, '127.0.0.1', () => {
  send({ type: 'listening', url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` });
});

let stop = (): ServerFigures => {
  throw new Error('Nothing is being measured');
};
process.on('disconnect', () => process.exit());
process.on('message', ({ type }: ServerRequest) => {
  if (type === 'start') stop = startMeasuring();
  else send({ type: 'measured', figures: stop() });
});

function startMeasuring(): () => ServerFigures {
  const bytesBefore = bytesOnSockets();
  reportedAtMs.length = 0;
  let rssAfterMinuteBytes: number | undefined;
  const minute = setTimeout(() => {
    rssAfterMinuteBytes = process.memoryUsage.rss();
  }, 60_000);
  const stopThread = startMeasuringThread(TICK_MS);
  return () => {
    clearTimeout(minute);
    const thread = stopThread();
    const bytes = bytesOnSockets();
    return {
      ...thread,
      ticksPerSecond: paceOf(reportedAtMs),
      bytesDown: bytes.down - bytesBefore.down,
      bytesUp: bytes.up - bytesBefore.up,
      rssBytes: process.memoryUsage.rss(),
      rssAfterMinuteBytes,
    };
  };
}

function paceOf(timesMs: readonly number[]): number {
  const elapsedMs = timesMs.at(-1)! - timesMs[0]!;
  return ((timesMs.length / rooms - 1) * rules.stepsPerSecond * 1000) / elapsedMs;
}

function bytesOnSockets(): { down: number; up: number } {
  let { down, up } = closed;
  for (const socket of sockets) {
    down += socket.bytesWritten;
    up += socket.bytesRead;
  }
  return { down, up };
}

function send(message: ServerMessage): void {
  process.send!(message);
}
