import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { firstAccessCode } from './accounts/access.ts';
import { serveAdminSocket } from './admin/serve-socket.ts';
import { openChat } from './chat/chat.ts';
import { createApp } from './http/create-app.ts';
import { guardUpgrades, isMenu, withMatchmaking } from './http/one-port.ts';
import { registerHealth } from './http/routes/health.ts';
import { registerMetrics } from './http/routes/metrics.ts';
import { servePage } from './http/serve-page.ts';
import { describeSite, type Site } from './http/site.ts';
import { listRunningLobbies } from './lobbies/running-lobbies.ts';
import { seedLobbies } from './lobbies/seed-lobbies.ts';
import { measureBooks } from './metrics/measure-books.ts';
import { measureSockets } from './metrics/measure-sockets.ts';
import { createMetrics, type Metrics, measurePool, measureProcess } from './metrics/metrics.ts';
import { startSigner } from './money/signer/start-signer.ts';
import { watchConnections } from './platform/activity.ts';
import { openChain } from './platform/chain.ts';
import { systemClock } from './platform/clock.ts';
import { collectGarbage } from './platform/collect-garbage.ts';
import type { Config } from './platform/config.ts';
import type { Context } from './platform/context.ts';
import { openDataFolder } from './platform/data-folder.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { startDeathWatch } from './platform/game-processes.ts';
import { openLog } from './platform/log.ts';
import { openS3Storage } from './platform/s3-storage.ts';
import { createLoneState, openSharedState } from './platform/shared-state.ts';
import { openFolderStorage, type Storage } from './platform/storage.ts';
import type { StorageConfig } from './platform/storage-config.ts';
import { openSwitches } from './platform/switches.ts';
import { openTraces } from './platform/traces.ts';
import { openPrices } from './prices/prices.ts';
import { startApi } from './roles/api.ts';
import { createGameEntrance, startGame } from './roles/game.ts';
import type { RunningGame } from './roles/game-place.ts';
import { startWorker, type Worker } from './roles/worker.ts';
import { createSocial } from './social/setup.ts';
import { ensureRollups } from './stats/rollups.ts';

export type StartOptions = {
  /** The built page. */
  readonly webFolder?: string;
  /** Called when a phase of the start begins. */
  readonly onPhase?: (phase: 'data' | 'lobbies' | 'listening') => void;
  /** Other processes took this one for dead and refunded its players, so it must end. */
  readonly onDeclaredDead?: () => void;
  /** The embedded database died. Nothing can be settled or stopped in good order any more. */
  readonly onDatabaseLost?: (error: Error) => void;
};

export type RunningServer = {
  readonly url: string;
  /** Undefined in production, where operators create the codes, and for a signer. */
  readonly accessCode: string | undefined;
  stop(): Promise<void>;
};

/** Closed in the reverse order of opening. */
type Closers = (() => unknown)[];

/** Starts the configured roles in this process. A start that fails half-way closes what it had opened. */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  const closers: Closers = [];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  };
  try {
    if (config.roles.has('signer')) {
      const signer = await startSigner(config, openLog(config));
      closers.push(() => signer.stop());
      return { url: signer.url, accessCode: undefined, stop };
    }
    const metrics = createMetrics(config.roles, systemClock.nowMs);
    if (config.metricsToken !== undefined) measureProcess(metrics);
    const context = await openPlatform(config, options, closers, metrics);
    options.onPhase?.('lobbies');
    await seedLobbies(context);
    await ensureRollups(context);
    const accessCode = config.isProduction ? undefined : await firstAccessCode(context);
    options.onPhase?.('listening');
    const url = await startRoles(context, config, options, closers, metrics);
    if (isEmbedded(config)) {
      const socket = await serveAdminSocket(context, config.dataDir);
      closers.push(() => socket.close());
    }
    return { url, accessCode, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Then this process holds the data folder alone. */
function isEmbedded({ database, chain }: Config): boolean {
  return database.kind === 'embedded' || chain.kind === 'embedded';
}

async function openPlatform(
  config: Config,
  { onPhase, onDatabaseLost }: StartOptions,
  closers: Closers,
  metrics: Metrics,
): Promise<Context> {
  const logger = openLog(config);
  const { nowMs } = systemClock;
  onPhase?.('data');
  const folder = isEmbedded(config) ? openDataFolder(config.dataDir) : undefined;
  closers.push(() => folder?.release());
  const opening = {
    database: openDatabase(config.database, onDatabaseLost).then((database) => {
      closers.push(() => database.close());
      return database;
    }),
    chain: openChain(config.chain, logger).then((chain) => {
      closers.push(() => chain.stop());
      return chain;
    }),
  };
  // If one fails, the other must be there to be closed.
  await Promise.allSettled(Object.values(opening));
  const { db, pool } = await opening.database;
  const chain = await opening.chain;
  if (pool) measurePool(metrics, pool);
  const processId = randomUUID();
  const traces = await openTraces(config.traces, { logger, processId, nowMs });
  closers.push(() => traces?.close());
  return {
    db,
    chain,
    ...openShared(config, { db, logger, processId, nowMs }, closers),
    storage: await openStorage(config.storage),
    switches: openSwitches(db, nowMs),
    ticketKey: new TextEncoder().encode(config.ticketSecret ?? folder!.secret('tickets')),
    logger,
    traces,
    processId,
    nowMs,
  };
}

function openShared(
  { redisUrl }: Config,
  deps: Pick<Context, 'db' | 'logger' | 'processId' | 'nowMs'>,
  closers: Closers,
): ReturnType<typeof createLoneState> {
  if (redisUrl === undefined) return createLoneState(deps);
  const shared = openSharedState(redisUrl, { ...deps, listRunning: () => listRunningLobbies(deps) });
  closers.push(() => shared.close());
  return shared;
}

async function openStorage(config: StorageConfig): Promise<Storage> {
  return config.kind === 's3' ? openS3Storage(config) : openFolderStorage(config.folder);
}

/** One HTTP server carries all roles of the process. Resolves to its address once it listens. */
async function startRoles(
  context: Context,
  config: Config,
  { webFolder, onDeclaredDead }: StartOptions,
  closers: Closers,
  metrics: Metrics,
): Promise<string> {
  const { roles } = config;
  const [hasApi, hasGame] = [roles.has('api'), roles.has('game')];
  let worker: Worker | undefined;
  closers.push(() => worker?.stop());
  const social = createSocial(config, () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  // The system may choose the port, so the site is known only once the server listens.
  let known: Site | undefined;
  const site = () => {
    known ??= describeSite(config, (server.address() as AddressInfo).port);
    return known;
  };
  const { chain, logger, nowMs } = context;
  const prices = openPrices(config.prices, { testMint: chain.test?.token.mint, logger, nowMs });
  closers.push(() => prices.close());
  // One chat for the menu and the rooms: limits count over both, and an admin's kick reaches both.
  const chat = openChat(context, { limitScale: config.rateLimitScale });
  const entrance = hasGame ? createGameEntrance(context, config, site, metrics.game) : undefined;
  const { app, server } = await createApp(context, {
    config,
    site,
    onAnswered: metrics.answered,
    before: entrance && ((application) => withMatchmaking(application, entrance)),
  });
  closers.push(() => app.close());
  let game: RunningGame | undefined;
  registerHealth(app, context, hasGame ? async () => (await game?.canTakeLobbies()) ?? false : undefined);
  registerMetrics(app, metrics, config.metricsToken);
  const { countRoomBytes } = measureSockets(metrics, server, ({ url = '' }) =>
    isMenu(url) ? 'menu' : 'room',
  );
  guardUpgrades(server, { hasMenu: hasApi, hasRooms: hasGame });
  if (hasApi) {
    const menu = await startApi(context, { app, server, config, prices, chat, site, social, webFolder });
    closers.push(() => menu.close());
  } else {
    await servePage(app, undefined);
  }
  // With a database of its own, no other process can make work for this one.
  const activity = config.database.kind === 'embedded' ? watchConnections(server) : undefined;
  activity?.onQuiet(collectGarbage);
  if (entrance) {
    game = await startGame(context, {
      server,
      entrance,
      config,
      prices,
      chat,
      meter: metrics.game,
      onRoomBytes: countRoomBytes,
      activity,
      onDeclaredDead,
    });
    closers.push(() => game!.stop());
  }
  if (config.database.kind !== 'embedded' && (hasGame || roles.has('worker'))) {
    const deathWatch = startDeathWatch(context, systemClock);
    closers.push(() => deathWatch.stop());
  }
  // Later than the rooms, which first give the seats that waited for them their time again.
  if (roles.has('worker')) {
    worker = startWorker(context, config, social, { activity, metrics });
    measureBooks(metrics, context, () => worker?.signerFunds);
  }
  await app.listen({ host: config.host, port: config.port });
  // Matches wait for a block of the chain, the page does not wait for them.
  await game?.untilOpen();
  return site().publicUrl.origin;
}
