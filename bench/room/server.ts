import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setPriority } from 'node:os';
import { createEntrance } from '@engulf/server/game/entrance/entrance';
import { createSampledLog } from '@engulf/server/game/entrance/sampled-log';
import { systemClock } from '@engulf/server/platform/clock';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { pino } from 'pino';
import { openPorts } from './open-ports.ts';
import { type MeasuredRooms, openRoomsApart, openRoomsHere } from './open-rooms.ts';
import type { ThreadFigures } from './thread-figures.ts';

/* Started with the number of rooms, of clients in each, and of processes for the rooms. */

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

/** The players' processes compete for the same cores. */
const HIGH_PRIORITY = -10;
const TICK_MS = 1000 / standardRules.stepsPerSecond;
const [rooms, clientsPerRoom, processes] = process.argv.slice(2).map(Number) as [number, number, number];
const rules: Rules = {
  ...standardRules,
  maxPlayers: Math.max(standardRules.maxPlayers, Math.ceil(clientsPerRoom * 1.25)),
};

try {
  setPriority(HIGH_PRIORITY);
} catch {
  // Only an administrator may.
}
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
const server = createServer((_request, response) => response.writeHead(404).end());
const measured: MeasuredRooms =
  processes === 0
    ? await openRoomsHere(server, entrance, { ports, rules, rooms, logger })
    : await openRoomsApart(server, entrance, { ports, rules, processes });
server.listen(0, '127.0.0.1', () => {
  send({ type: 'listening', url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` });
});

let stop = (): Promise<ServerFigures> => {
  throw new Error('Nothing is being measured');
};
process.on('disconnect', () => process.exit());
process.on('message', async ({ type }: ServerRequest) => {
  if (type === 'start') stop = startMeasuring();
  else send({ type: 'measured', figures: await stop() });
});

function startMeasuring(): () => Promise<ServerFigures> {
  const bytesBefore = measured.bytes();
  reportedAtMs.length = 0;
  let rssAfterMinuteBytes: number | undefined;
  const minute = setTimeout(() => {
    rssAfterMinuteBytes = measured.rssBytes();
  }, 60_000);
  const stopThreads = measured.startThreads(TICK_MS);
  return async () => {
    clearTimeout(minute);
    const ticksPerSecond = paceOf(reportedAtMs);
    const bytes = measured.bytes();
    return {
      ...(await stopThreads()),
      ticksPerSecond,
      bytesDown: bytes.down - bytesBefore.down,
      bytesUp: bytes.up - bytesBefore.up,
      rssBytes: measured.rssBytes(),
      rssAfterMinuteBytes,
    };
  };
}

function paceOf(timesMs: readonly number[]): number {
  const elapsedMs = timesMs.at(-1)! - timesMs[0]!;
  return ((timesMs.length / rooms - 1) * rules.stepsPerSecond * 1000) / elapsedMs;
}

function send(message: ServerMessage): void {
  process.send!(message);
}
