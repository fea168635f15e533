import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUSY_RULES } from '@engulf/crash/busy-rules';
import { ask, type FaultProxy, type Moment, startFaultProxy } from '@engulf/crash/fault-proxy';
import type { World } from '@engulf/crash/page';
import type { Random } from '@engulf/crash/random';
import { findFreePort, findFreePorts, isStillFree } from '@engulf/localnet/testing/free-ports';
import { spawnLocalnet } from '@engulf/localnet/testing/spawn-localnet';
import { endWithUs, type Service, startPostgres, startRedis } from '@engulf/server/testing/services';
import { startServerProcess } from '@engulf/trials/server-process';
import pg from 'pg';
import { createFleet, type Fleet, type Member } from './fleet.ts';
import { startNginx } from './nginx.ts';
import { type SlowLine, startSlowLine } from './slow-line.ts';
import type { Patience } from './take-over.ts';

/** All machines of a service, as processes on loopback. */
export type ScaleWorld = World &
  Patience & {
    readonly folder: string;
    /** Of each game process. */
    readonly roomProcesses: number;
    readonly postgres: Service;
    readonly redis: Service;
    readonly fleet: Fleet;
    readonly db: pg.Pool;
    /** Called at every request of a worker to its node. */
    onWorkerRequest: (worker: string, method: string, moment: Moment) => void;
    startApi(place: Place): Promise<Member>;
    /** In which another one can follow this api process. */
    placeOf(api: Member): Place;
    /** At an address of its own, which no process before it had. */
    startGame(): Promise<Member>;
    /** From now on the nodes are good ones. */
    calmNodes(): void;
    /** In a region that is far from PostgreSQL and Redis. */
    startFarGame(): Promise<Member>;
    /** The ways from there. */
    readonly farLines: readonly SlowLine[];
    startWorker(): Promise<Member>;
    stop(): Promise<void>;
    /** Deletes the data and logs of its processes. */
    forget(): void;
  };

/** Addresses for game processes that follow each other, for a run through all trials. */
const GAME_ADDRESSES = 10;

/** The proxy knows two addresses of api processes. */
type Place = 1 | 2;

export const NEAR = 'near';
export const FAR = 'far';
/** There and back. */
export const FAR_MS = 120;
/** The lobby that is played there. */
const FAR_LOBBY = 'Night Shift';

type WorldOptions = {
  readonly roomProcesses: number;
  /** How often all trials may be run. */
  readonly rounds: number;
  /** Its node loses, delays and forgets, until it is calmed. */
  readonly hasBadNode: boolean;
  readonly random: Random;
};

export async function createWorld({
  roomProcesses,
  rounds,
  hasBadNode,
  random,
}: WorldOptions): Promise<ScaleWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-scale-'));
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const chainPorts = await findFreePorts();
  const database = { DATABASE_URL: postgres.url };
  const accessCode = await createLobbies(folder, { ...database, ...chainVariables(chainPorts) });
  const db = new pg.Pool({ connectionString: postgres.url });
  db.on('error', () => undefined);
  await db.query('update lobbies set region = $1', [NEAR]);
  await db.query('update lobbies set region = $1, daily_open_windows = null where name = $2', [
    FAR,
    FAR_LOBBY,
  ]);
  const farLines = await Promise.all([postgres.url, redis.url].map((url) => startSlowLine(url, FAR_MS / 2)));
  const { kill: killChain, ...chain } = await spawnLocalnet({
    dataDir: join(folder, 'seed/chain'),
    ...chainPorts,
  });
  process.once('exit', () => void killChain());
  const rpcUrl = `http://127.0.0.1:${chainPorts.rpcPort}`;
  const apiPorts = [await findFreePort(), await findFreePort()];
  const gamePorts: number[] = [];
  while (gamePorts.length < (rounds + 1) * GAME_ADDRESSES) gamePorts.push(await findFreePort());
  const nginx = await startNginx(apiPorts, gamePorts);
  const proxies: FaultProxy[] = [];
  let areCalm = !hasBadNode;
  const startProxy = async (onRequest: (method: string, moment: Moment) => void) => {
    const proxy = await startFaultProxy(rpcUrl, random, onRequest);
    if (areCalm) proxy.weather.calm();
    proxies.push(proxy);
    return proxy.url;
  };
  const fleet = createFleet(folder, {
    ...database,
    REDIS_URL: redis.url,
    PUBLIC_URL: nginx.url,
    TRUST_PROXY: '1',
    SOLANA_RPC_URL: hasBadNode ? await startProxy(() => {}) : rpcUrl,
    SOLANA_WS_URL: `ws://127.0.0.1:${chainPorts.wsPort}`,
    PROGRAM_ID: chain.programId,
    TICKET_SECRET: 'all processes of this run share it',
    STORAGE_DIR: join(folder, 'storage'),
    RATE_LIMIT_SCALE: '1000',
    // Above what the crowd wins in a run, or payouts would wait for their hour.
    PAYOUT_LIMIT_SOL: '10000',
    PAYOUT_LIMIT_LOBBY_HOUR_SOL: '10000',
    PAYOUT_LIMIT_HOUR_SOL: '10000',
    ARENA_RULES: JSON.stringify(BUSY_RULES),
  });
  const places = new Map<Member, Place>();
  let [apis, games, workers] = [0, 0, 0];
  const startGame = async (place: Record<string, string>): Promise<Member> => {
    const port = gamePorts[games++];
    const number = games;
    if (port === undefined) throw new Error('nginx knows no more addresses for game processes');
    // nginx had to know all of them at its start; others may have taken one since.
    if (!(await isStillFree(port))) return startGame(place);
    return fleet.start('game', `game-${number}`, {
      PORT: String(port),
      GAME_PUBLIC_URL: `${nginx.url}/game/${number}`,
      ROOM_PROCESSES: String(roomProcesses),
      ANCHOR_KEYPAIR: readFileSync(join(folder, 'seed/chain/keys/anchor.json'), 'utf8'),
      ...place,
    });
  };
  const world: ScaleWorld = {
    url: nginx.url,
    folder,
    patience: hasBadNode ? 4 : 1,
    roomProcesses,
    postgres,
    redis,
    fleet,
    db,
    chain: {
      rpcUrl,
      ...chain,
      fund: async (wallet, { lamports }) => {
        const { error } = await ask(rpcUrl, 'requestAirdrop', [wallet, Number(lamports)]);
        if (error) throw new Error(JSON.stringify(error));
      },
    },
    accessCode: () => accessCode,
    onWorkerRequest: () => {},
    calmNodes: () => {
      areCalm = true;
      for (const { weather } of proxies) weather.calm();
    },
    startApi: async (place) => {
      const api = await fleet.start('api', `api-${++apis}`, { PORT: String(apiPorts[place - 1]) });
      places.set(api, place);
      return api;
    },
    placeOf: (api) => places.get(api)!,
    farLines,
    startGame: () => startGame({ REGION: NEAR }),
    startFarGame: () =>
      startGame({ REGION: FAR, DATABASE_URL: farLines[0]!.url, REDIS_URL: farLines[1]!.url }),
    startWorker: async () => {
      const name = `worker-${++workers}`;
      return fleet.start('worker', name, {
        PORT: String(await findFreePort()),
        SOLANA_RPC_URL: await startProxy((method, moment) => world.onWorkerRequest(name, method, moment)),
        SUPER_ADMIN_KEYPAIR: readFileSync(join(folder, 'seed/chain/keys/super-admin.json'), 'utf8'),
        PAYOUT_KEYPAIR: readFileSync(join(folder, 'seed/chain/keys/payout-key.json'), 'utf8'),
        ANCHOR_KEYPAIR: readFileSync(join(folder, 'seed/chain/keys/anchor.json'), 'utf8'),
      });
    },
    stop: async () => {
      await fleet.endAll();
      for (const proxy of [...proxies, ...farLines]) proxy.close();
      await db.end();
      await killChain();
      for (const service of [nginx, redis, postgres]) await service.dispose();
    },
    forget: () => rmSync(folder, { recursive: true, force: true }),
  };
  return world;
}

function chainVariables({ rpcPort, wsPort }: { rpcPort: number; wsPort: number }): Record<string, string> {
  return {
    LOCALNET_RPC_PORT: String(rpcPort),
    LOCALNET_WS_PORT: String(wsPort),
    LOCALNET_SLOT_MS: '50',
  };
}

/** A first start with an embedded chain creates the tables, the chain and the lobbies on it. Resolves to a code. */
async function createLobbies(folder: string, environment: Record<string, string>): Promise<string> {
  const home = join(folder, 'seed');
  mkdirSync(home);
  const first = await startServerProcess({
    environment: { PORT: '0', ENGULF_DATA_DIR: home, ENGULF_ROLES: 'worker', ...environment },
    onSpawned: endWithUs,
  });
  await first.kill('SIGINT');
  return first.accessCode;
}
