import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { lobbyId, userId, walletAddress } from '@engulf/domain/ids/entity-ids';
import { LEADERBOARD_PERIODS } from '@engulf/protocol/menu/leaderboard';
import { openSession, SESSION_COOKIE } from '@engulf/server/accounts/sessions';
import { openChat } from '@engulf/server/chat/chat';
import { openMenuSocket } from '@engulf/server/menu/menu-socket';
import { parseTrustProxy } from '@engulf/server/platform/client-address';
import type { Context } from '@engulf/server/platform/context';
import { lobbies } from '@engulf/server/platform/database/games';
import { openDatabase } from '@engulf/server/platform/database/open-database';
import { users } from '@engulf/server/platform/database/people';
import { periodWinnings } from '@engulf/server/platform/database/stats';
import { createLoneState } from '@engulf/server/platform/fleet/shared-state';
import { openSwitches } from '@engulf/server/platform/switches';
import { pino } from 'pino';

export type ServerRequest = { readonly type: 'start' | 'stop' };
export type ServerMessage =
  | { readonly type: 'listening'; readonly url: string; readonly cookies: readonly string[] }
  | { readonly type: 'measured'; readonly figures: ServerFigures };
export type ServerFigures = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Of the thread that everything but the database shares. */
  readonly mainCpuSeconds: number;
  readonly rssBytes: number;
};

const LOBBIES = 6;
const WRITERS = 40;
/** Of base58; each makes another wallet of small number. */
const DIGITS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const CASH_OUT_MS = 5_000;
/** All clients have the same address. */
const LIMIT_SCALE = 1_000;

const folder = process.argv[2]!;
const { db } = await openDatabase({ kind: 'embedded', folder: join(folder, 'database') });
const switches = openSwitches(db, Date.now);
const logger = pino({ level: 'warn' });
const shared = createLoneState({ logger, nowMs: Date.now });
const { presence } = shared;
const context = { db, ...shared, switches, logger, nowMs: Date.now } as unknown as Context;
await addLobbies();
const server = createServer((_request, response) => response.writeHead(404).end());
const config = { trustProxy: parseTrustProxy('false')!, rateLimitScale: LIMIT_SCALE };
const chat = openChat(context, { limitScale: LIMIT_SCALE });
await openMenuSocket(context, server, { config, chat, isOwnOrigin: () => true });
const cookies = await addWriters();
setInterval(cashOut, CASH_OUT_MS);
server.listen(0, '127.0.0.1', () => {
  send({ type: 'listening', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cookies });
});

let stop = (): ServerFigures => {
  throw new Error('Nothing is being measured');
};
process.on('message', ({ type }: ServerRequest) => {
  if (type === 'start') stop = startMeasuring();
  else send({ type: 'measured', figures: stop() });
});

/** Each lobby reports a change every second, as a room with players does. */
async function addLobbies(): Promise<void> {
  const ids = Array.from({ length: LOBBIES }, () => lobbyId(randomUUID()));
  for (const [sortOrder, id] of ids.entries()) {
    await db.insert(lobbies).values({
      id,
      name: `Bench ${sortOrder}`,
      lobbyType: 'free',
      tokenSymbol: 'USD',
      tokenDecimals: 6,
      entryFee: 0n,
      freeLobbyEntryUsd: 1_000_000n,
      maxPlayers: 10,
      sortOrder,
    });
  }
  let seconds = 0;
  setInterval(() => {
    seconds++;
    for (const id of ids) {
      void presence.announce(id, {
        totalPlayers: seconds % 10,
        totalBots: 0,
        poolTotal: BigInt(seconds) * 1_000_000n,
      });
    }
  }, 1_000);
}

async function addWriters(): Promise<string[]> {
  const made: string[] = [];
  for (let writer = 0; writer < WRITERS; writer++) {
    const id = userId(randomUUID());
    const wallet = walletAddress('1'.repeat(31) + DIGITS[writer]!);
    await db.insert(users).values({ id, walletAddress: wallet, name: `writer${writer}` });
    const periods = LEADERBOARD_PERIODS.map(({ days }) => ({
      userId: id,
      days,
      amount: BigInt(1_000 + writer),
    }));
    await db.insert(periodWinnings).values(periods);
    made.push(`${SESSION_COOKIE}=${await openSession(context, db, id)}`);
  }
  return made;
}

/** Changes all leaderboards, as a player's cash-out does. */
async function cashOut(): Promise<void> {
  await db.update(periodWinnings).set({ amount: BigInt(Date.now()) });
}

function startMeasuring(): () => ServerFigures {
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  const main = process.threadCpuUsage();
  return () => {
    const ofProcess = process.cpuUsage(cpu);
    const ofMain = process.threadCpuUsage(main);
    return {
      seconds: (performance.now() - startedMs) / 1000,
      cpuSeconds: (ofProcess.user + ofProcess.system) / 1_000_000,
      mainCpuSeconds: (ofMain.user + ofMain.system) / 1_000_000,
      rssBytes: process.memoryUsage.rss(),
    };
  };
}

function send(message: ServerMessage): void {
  process.send!(message);
}
