import { join, relative } from 'node:path';
import { ConfigError, readConfig } from './platform/config/config.ts';
import { DatabaseUnreachable } from './platform/database/unreachable.ts';
import { quickenImports } from './platform/quick-imports.ts';
import { DataFolderInUse, DataFolderNotPrivate } from './platform/storage/data-folder.ts';
import { explainTakenPort, PortTaken } from './platform/taken-port.ts';

quickenImports();
const { startServer } = await import('./start-server.ts');

const WEB_FOLDER = join(import.meta.dirname, '../../web/dist');

const PHASES = {
  data: 'Opening the database and the chain',
  lobbies: 'Preparing the lobbies',
  listening: 'Opening the doors',
} as const;

class DeclaredDead extends Error {}

/** Runs until it is told to stop. */
async function run(): Promise<void> {
  const config = readConfig(process.env);
  // In production the log goes to standard output, and nothing else does.
  const say = config.isProduction ? () => undefined : console.log;
  const declaredDead = Promise.withResolvers<void>();
  const databaseLost = Promise.withResolvers<never>();
  let finishPhase = () => {};
  const server = await startServer(config, {
    webFolder: WEB_FOLDER,
    onPhase: (phase) => {
      finishPhase();
      const startedAt = performance.now();
      say(`▸ ${PHASES[phase]}…`);
      finishPhase = () => say(`  done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    },
    onDeclaredDead: declaredDead.resolve,
    onDatabaseLost: databaseLost.reject,
  }).catch((error: unknown) => {
    throw explainTakenPort(error, config);
  });
  finishPhase();
  say(`\n  Engulf runs at  ${server.url}`);
  if (server.accessCode) say(`  Access code     ${server.accessCode}`);
  if (config.logFile) say(`  Log             ${relative(process.cwd(), config.logFile)}`);
  say('  Stop with       Ctrl+C\n');
  const isDead = await Promise.race([
    stopOnSignal(() => {
      say('\nStopping: matches move to another process or end, and everyone alive gets their bounty back…');
      return server.stop();
    }).then(() => false),
    declaredDead.promise.then(() => true),
    databaseLost.promise,
  ]);
  if (!isDead) return;
  await server.stop();
  throw new DeclaredDead('This process was silent for too long and was taken for dead; start it again.');
}

/** A terminal and npm both forward Ctrl+C, so one press arrives two or three times within this time. */
const SAME_PRESS_MS = 1_000;

/** A second press while the server shuts down ends it at once. */
function stopOnSignal(stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stoppingSinceMs: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (stoppingSinceMs !== undefined) {
          if (performance.now() - stoppingSinceMs > SAME_PRESS_MS) process.exit(1);
          return;
        }
        stoppingSinceMs = performance.now();
        stop().then(resolve, reject);
      });
    }
  });
}

/** Errors that the operator can fix. Their message says how; a stack trace would only hide it. */
function isExplained(error: unknown): error is Error {
  const kinds = [
    ConfigError,
    DatabaseUnreachable,
    DataFolderInUse,
    DataFolderNotPrivate,
    DeclaredDead,
    PortTaken,
  ];
  // The embedded chain is loaded only where it is used, and so is its error.
  return kinds.some((kind) => error instanceof kind) || (error as Error).name === 'ChainNotSupported';
}

try {
  await run();
  process.exit(0);
} catch (error) {
  console.error(isExplained(error) ? error.message : error);
  process.exit(1);
}
