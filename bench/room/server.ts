import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createEntrance } from '@engulf/server/game/room/entrance';
import { matchmakingOr } from '@engulf/server/game/room/matchmaking';
import { registerGame } from '@engulf/server/game/room/register-game';
import { createSampledLog } from '@engulf/server/game/room/sampled-log';
import { openGameTransport } from '@engulf/server/game/room/transport';
import { systemClock } from '@engulf/server/platform/clock';
import { standardRules } from '@engulf/sim/rules';
import { pino } from 'pino';
import { openPorts } from './open-ports.ts';

export type ServerRequest = { readonly type: 'start' | 'stop' };
export type ServerMessage =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'measured'; readonly figures: ServerFigures };
export type ServerFigures = {
  readonly seconds: number;
  readonly ticksPerSecond: number;
  readonly tickCpuMsMean: number;
  readonly tickCpuMsP99: number;
  readonly bytesDown: number;
  readonly bytesUp: number;
  readonly rssBytes: number;
};

const TICK_MS = 1000 / standardRules.stepsPerSecond;

const sockets = new Set<Socket>();
/** When the room reported that it lives, which it does once in every second's worth of ticks. */
const reportedAtMs: number[] = [];
const ports = openPorts(() => reportedAtMs.push(performance.now()));
const logger = pino({ level: 'warn' });
const entrance = createEntrance({
  clock: systemClock,
  log: createSampledLog(logger, systemClock),
  addressOf: ({ socket }) => socket.remoteAddress!,
  isOwnOrigin: () => true,
  limitScale: 1_000,
});
const server = createServer(matchmakingOr((_request, response) => response.writeHead(404).end(), entrance));
server.on('upgrade', (_request, socket) => sockets.add(socket as Socket));
await openGameTransport(server, entrance);
entrance.game = await registerGame({ ports, clock: systemClock, rules: standardRules, logger });
server.listen(0, '127.0.0.1', () => {
  send({ type: 'listening', url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` });
});

let stop = (): ServerFigures => {
  throw new Error('Nothing is being measured');
};
process.on('message', ({ type }: ServerRequest) => {
  if (type === 'start') stop = startMeasuring();
  else send({ type: 'measured', figures: stop() });
});

/** Takes the CPU time of every 40 ms; each such window has one tick in it, and what came in and went out meanwhile. */
function startMeasuring(): () => ServerFigures {
  const startedMs = performance.now();
  const bytesBefore = bytesOnSockets();
  reportedAtMs.length = 0;
  const cpuMs: number[] = [];
  let last = process.cpuUsage();
  let lastMs = startedMs;
  const timer = setInterval(() => {
    const used = process.cpuUsage(last);
    last = process.cpuUsage();
    const nowMs = performance.now();
    // A late timer makes a longer window, which holds more than one tick's work.
    cpuMs.push(((used.user + used.system) / 1000) * (TICK_MS / (nowMs - lastMs)));
    lastMs = nowMs;
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    const bytes = bytesOnSockets();
    cpuMs.sort((a, b) => a - b);
    return {
      seconds: (performance.now() - startedMs) / 1000,
      ticksPerSecond: paceOf(reportedAtMs),
      tickCpuMsMean: cpuMs.reduce((sum, ms) => sum + ms, 0) / cpuMs.length,
      tickCpuMsP99: cpuMs[Math.floor(cpuMs.length * 0.99)]!,
      bytesDown: bytes.down - bytesBefore.down,
      bytesUp: bytes.up - bytesBefore.up,
      rssBytes: process.memoryUsage.rss(),
    };
  };
}

function paceOf(timesMs: readonly number[]): number {
  const elapsedMs = timesMs.at(-1)! - timesMs[0]!;
  return ((timesMs.length - 1) * standardRules.stepsPerSecond * 1000) / elapsedMs;
}

/** Closed sockets keep their counts, so that nobody's bytes are lost when a player comes back on another. */
function bytesOnSockets(): { down: number; up: number } {
  let down = 0;
  let up = 0;
  for (const socket of sockets) {
    down += socket.bytesWritten;
    up += socket.bytesRead;
  }
  return { down, up };
}

function send(message: ServerMessage): void {
  process.send!(message);
}
