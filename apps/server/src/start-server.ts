import { randomUUID } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { firstAccessCode } from './accounts/access.ts';
import { listRunningLobbies } from './lobbies/running-lobbies.ts';
import { seedLobbies } from './lobbies/seed-lobbies.ts';
import { createMetrics, type Metrics, measurePool, measureProcess } from './metrics/metrics.ts';
import { openChain } from './platform/chain/chain.ts';
import { systemClock } from './platform/clock.ts';
import { type Config, isEmbedded } from './platform/config/config.ts';
import type { Context } from './platform/context.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { createLoneState, openSharedState } from './platform/fleet/shared-state.ts';
import { openLog } from './platform/logs/log.ts';
import { openTraces } from './platform/logs/traces.ts';
import { deriveKeys } from './platform/purpose-keys.ts';
import { releaseOf } from './platform/release.ts';
import { openDataFolder } from './platform/storage/data-folder.ts';
import { openStorages } from './platform/storage/open-storage.ts';
import { openSwitches } from './platform/switches.ts';
import { ensureRollups } from './stats/rollups.ts';

export type StartOptions = {
  /** The built page. */
  readonly webFolder?: string;
  /** Called when a phase of the start begins. */
  readonly onPhase?: (phase: 'data' | 'lobbies' | 'listening') => void;
  /** Other processes declared this one dead and refunded its players, so it must end. */
  readonly onDeclaredDead?: () => void;
  /** The embedded database died. Nothing can be settled or shut down cleanly. */
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
      const { startSigner } = await import('./money/signer/start-signer.ts');
      const signer = await startSigner(config, openLog(config));
      closers.push(() => signer.stop());
      return { url: signer.url, accessCode: undefined, stop };
    }
    // Most of the code is loaded while the database and the chain open.
    const loading = loadRoles(config);
    const metrics = createMetrics(config.roles, systemClock.nowMs);
    if (config.metricsToken !== undefined) measureProcess(metrics);
    const context = await openPlatform(config, options, closers, metrics);
    options.onPhase?.('lobbies');
    await seedLobbies(context);
    await ensureRollups(context);
    const accessCode = config.isProduction ? undefined : await firstAccessCode(context);
    options.onPhase?.('listening');
    const startRoles = await loading;
    // Thousands of small files the first time. A slow disk takes seconds for them, in which nothing else happens here, and
    // a process that runs rooms would be taken for dead.
    flushCompileCache();
    const url = await startRoles(context, config, { ...options, closers, metrics });
    return { url, accessCode, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function loadRoles({ roles, roomProcesses }: Config) {
  const { startRoles } = await import('./roles/start-roles.ts');
  if (roles.has('game') && roomProcesses === 0) await import('./roles/rooms-here.ts');
  return startRoles;
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
    ...(await openStorages(config)),
    switches: openSwitches(db, nowMs),
    keys: deriveKeys(config.ticketSecret ?? folder!.secret('tickets')),
    logger,
    traces,
    processId,
    release: releaseOf(config.commit),
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
