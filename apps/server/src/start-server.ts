import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { firstAccessCode } from './accounts/access.ts';
import { createApp } from './http/create-app.ts';
import { guardUpgrades, withMatchmaking } from './http/one-port.ts';
import { servePage } from './http/serve-page.ts';
import { describeSite, type Site } from './http/site.ts';
import { seedLobbies } from './lobbies/seed-lobbies.ts';
import { openChain } from './platform/chain.ts';
import type { Config } from './platform/config.ts';
import type { Context } from './platform/context.ts';
import { makePrivateFolder, openDataFolder } from './platform/data-folder.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { plainError } from './platform/plain-error.ts';
import { createMemoryPresence } from './platform/presence.ts';
import { openFolderStorage } from './platform/storage.ts';
import { startApi } from './roles/api.ts';
import { createGameEntrance, startGame } from './roles/game.ts';
import { startWorker } from './roles/worker.ts';
import { createSocial } from './social/setup.ts';

export type StartOptions = {
  /** The built page. */
  readonly webFolder?: string;
  /** Called when a phase of the start begins. */
  readonly onPhase?: (phase: 'database' | 'chain' | 'lobbies' | 'listening') => void;
  /** Other processes took this one for dead and refunded its players, so it must end. */
  readonly onDeclaredDead?: () => void;
  /** The embedded database died. Nothing can be settled or stopped in good order any more. */
  readonly onDatabaseLost?: (error: Error) => void;
};

export type RunningServer = {
  readonly url: string;
  readonly accessCode: string;
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
    const context = await openPlatform(config, options, closers);
    options.onPhase?.('lobbies');
    await seedLobbies(context);
    const accessCode = await firstAccessCode(context.db);
    options.onPhase?.('listening');
    const url = await startRoles(context, config, options, closers);
    return { url, accessCode, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openPlatform(
  config: Config,
  { onPhase, onDatabaseLost }: StartOptions,
  closers: Closers,
): Promise<Context> {
  const logger = openLog(config);
  const nowMs = () => Date.now();
  onPhase?.('database');
  const isEmbedded = config.database.kind === 'embedded' || config.chain.kind === 'embedded';
  const folder = isEmbedded ? openDataFolder(config.dataDir) : undefined;
  closers.push(() => folder?.release());
  const { db, close } = await openDatabase(config.database, onDatabaseLost);
  closers.push(close);
  onPhase?.('chain');
  const chain = await openChain(config.chain, logger);
  closers.push(() => chain.stop());
  return {
    db,
    chain,
    presence: createMemoryPresence(nowMs),
    storage: openFolderStorage(join(config.dataDir, 'storage')),
    ticketKey: new TextEncoder().encode(config.ticketSecret ?? folder!.secret('tickets')),
    logger,
    processId: randomUUID(),
    nowMs,
  };
}

/** One HTTP server carries all roles of the process. Resolves to its address once it listens. */
async function startRoles(
  context: Context,
  config: Config,
  { webFolder, onDeclaredDead }: StartOptions,
  closers: Closers,
): Promise<string> {
  const { roles } = config;
  const [hasApi, hasGame] = [roles.has('api'), roles.has('game')];
  const social = createSocial(config, () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  if (roles.has('worker')) {
    const worker = startWorker(context, { social, raffleWinnersPerDay: config.raffleWinnersPerDay });
    closers.push(() => worker.stop());
  }
  // The system may choose the port, so the site is known only once the server listens.
  let known: Site | undefined;
  const site = () => {
    known ??= describeSite(config, (server.address() as AddressInfo).port);
    return known;
  };
  const entrance = hasGame ? createGameEntrance(context, config, site) : undefined;
  const { app, server } = await createApp(context, {
    config,
    site,
    before: entrance && ((application) => withMatchmaking(application, entrance)),
  });
  closers.push(() => app.close());
  guardUpgrades(server, { hasMenu: hasApi, hasRooms: hasGame });
  if (hasApi) {
    const menu = await startApi(context, { app, server, config, site, social, webFolder });
    closers.push(() => menu.close());
  } else {
    await servePage(app, undefined);
  }
  if (entrance) {
    const game = await startGame(context, { server, entrance, config, onDeclaredDead });
    closers.push(() => game.stop());
  }
  await app.listen({ host: config.host, port: config.port });
  return site().publicUrl.origin;
}

function openLog({ logLevel, logFile, dataDir }: Config): Logger {
  const options = { level: logLevel, base: { pid: process.pid }, serializers: { err: plainError } };
  if (logFile === undefined) return pino(options);
  // The log is the first file in the data folder.
  makePrivateFolder(dataDir);
  return pino(options, pino.destination({ dest: logFile, sync: false, mode: 0o600 }));
}
