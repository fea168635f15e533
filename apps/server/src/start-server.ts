import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import { firstAccessCode } from './accounts/access.ts';
import type { GamePorts } from './game/ports.ts';
import { registerGame } from './game/room/register-game.ts';
import { createGamePorts } from './game-host/ports.ts';
import { createApp } from './http/create-app.ts';
import { attachGameTransport, guardUpgrades, withMatchmaking } from './http/one-port.ts';
import { describeSite, type Site } from './http/site.ts';
import { seedLobbies } from './lobbies/seed-lobbies.ts';
import { openMenuSocket } from './menu/menu-socket.ts';
import { openChain } from './platform/chain.ts';
import { systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Context } from './platform/context.ts';
import { openDataFolder } from './platform/data-folder.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { forgetOtherProcesses, startHeartbeat } from './platform/game-processes.ts';
import { createMemoryPresence } from './platform/presence.ts';
import { startWorker } from './roles/worker.ts';

export type StartOptions = {
  /** The built page. */
  readonly webFolder?: string;
  /** Called when a phase of the start begins. */
  readonly onPhase?: (phase: 'database' | 'chain' | 'lobbies' | 'listening') => void;
  /** Other processes took this one for dead and refunded its players, so its rooms must end. */
  readonly onDeclaredDead?: () => void;
};

export type RunningServer = {
  readonly url: string;
  readonly accessCode: string;
  readonly context: Context;
  readonly ports: GamePorts;
  stop(): Promise<void>;
};

/** Starts the configured roles in this process. A start that fails half-way closes what it had opened. */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  const closers: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  };
  try {
    return { ...(await open(config, options, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function open(
  config: Config,
  { webFolder, onPhase, onDeclaredDead }: StartOptions,
  closers: (() => unknown)[],
): Promise<Omit<RunningServer, 'stop'>> {
  const logger = openLog(config);
  const processId = randomUUID();
  const nowMs = () => Date.now();

  onPhase?.('database');
  const isEmbedded = config.database.kind === 'embedded' || config.chain.kind === 'embedded';
  const folder = isEmbedded ? openDataFolder(config.dataDir) : undefined;
  closers.push(() => folder?.release());
  const { db, close } = await openDatabase(config.database);
  closers.push(close);

  onPhase?.('chain');
  const chain = await openChain(config.chain, logger);
  closers.push(() => chain.stop());
  const context: Context = {
    db,
    chain,
    presence: createMemoryPresence(nowMs),
    ticketKey: new TextEncoder().encode(config.ticketSecret ?? folder!.secret('tickets')),
    logger,
    processId,
    nowMs,
  };

  onPhase?.('lobbies');
  await seedLobbies(context);
  const accessCode = await firstAccessCode(db);
  if (config.roles.has('game')) {
    const heartbeat = await startHeartbeat(context, onDeclaredDead);
    closers.push(() => heartbeat.stop());
    // The lock on an embedded database proves that no other process is alive, so its players need not wait.
    if (config.database.kind === 'embedded') await forgetOtherProcesses(context);
  }

  const { ports, lanes } = createGamePorts(context);
  closers.push(() => lanes.drain());
  if (config.roles.has('worker')) {
    const worker = startWorker(context);
    closers.push(() => worker.stop());
  }

  onPhase?.('listening');
  let known: Site | undefined;
  // The system may choose the port, so it is known only once the server listens.
  const site = () => {
    known ??= describeSite(config, (server.address() as AddressInfo).port);
    return known;
  };
  const { app, server } = await createApp(context, {
    config,
    site,
    webFolder,
    before: config.roles.has('game') ? withMatchmaking : (listener) => listener,
  });
  closers.push(() => app.close());
  guardUpgrades(server, { hasMenu: config.roles.has('api'), hasRooms: config.roles.has('game') });
  if (config.roles.has('api')) {
    const menu = openMenuSocket(context, server, (origin) => site().isOwnOrigin(origin));
    closers.push(() => menu.close());
  }
  if (config.roles.has('game')) {
    const transport = await attachGameTransport(server);
    closers.push(() => transport.close());
    const { rules } = config;
    const game = await registerGame({
      ports,
      clock: systemClock,
      rules,
      logger: logger.child({ part: 'game' }),
    });
    closers.push(() => game.close());
  }
  await app.listen({ host: config.host, port: config.port });
  return { url: site().publicUrl.origin, accessCode, context, ports };
}

function openLog({ logLevel, logFile }: Config): Logger {
  const options = { level: logLevel, base: { pid: process.pid } };
  return logFile === undefined
    ? pino(options)
    : pino(options, pino.destination({ dest: logFile, mkdir: true, sync: false }));
}
