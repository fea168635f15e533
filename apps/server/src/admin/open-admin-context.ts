import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { type Chain, openChain } from '../platform/chain/chain.ts';
import type { Config } from '../platform/config/config.ts';
import { pendingMigrations } from '../platform/database/migrations.ts';
import {
  migratePostgresAt,
  type OpenDatabase,
  openDatabase,
  openUnmigrated,
} from '../platform/database/open-database.ts';
import { createLoneState } from '../platform/fleet/shared-state.ts';
import { plainError } from '../platform/plain-error.ts';
import { deriveKeys } from '../platform/purpose-keys.ts';
import { releaseOf } from '../platform/release.ts';
import { openDataFolder } from '../platform/storage/data-folder.ts';
import { openStorages } from '../platform/storage/open-storage.ts';
import { openSwitches } from '../platform/switches.ts';
import type { AdminContext } from './command.ts';

const STANDARD_ERROR = 2;

/** Rebuilding the statistics of all games is one transaction, of which a single query can take long. */
const MAX_QUERY_MS = 3_600_000;

/** Opens what the server would open. Throws DataFolderInUse if a server holds the embedded database. */
export async function openAdminContext(
  config: Config,
): Promise<{ readonly admin: AdminContext; close(): Promise<void> }> {
  const logger = pino(
    { level: 'warn', serializers: { err: plainError } },
    pino.destination({ dest: STANDARD_ERROR, sync: true }),
  );
  const nowMs = () => Date.now();
  const isEmbedded = config.database.kind === 'embedded' || config.chain.kind === 'embedded';
  const folder = isEmbedded ? openDataFolder(config.dataDir) : undefined;
  const { db, close } = await openFor(config.database).catch((error: unknown) => {
    folder?.release();
    throw error;
  });
  let chain: Promise<Chain> | undefined;
  const admin: AdminContext = {
    db,
    migrations: {
      pending: () => pendingMigrations(db),
      apply: async () => {
        if (config.database.kind === 'postgres') await migratePostgresAt(config.database.url);
      },
    },
    ...createLoneState({ logger, nowMs }),
    ...(await openStorages(config)),
    switches: openSwitches(db, nowMs),
    keys: deriveKeys(config.ticketSecret ?? folder!.secret('tickets')),
    logger,
    processId: randomUUID(),
    release: releaseOf(config.commit),
    nowMs,
    openChain: () => {
      chain ??= openChain(config.chain, logger, { isForOperator: true });
      return chain;
    },
    limitedTokens: Object.keys(config.payouts.limits.tokens),
    pause: (ms) => new Promise((done) => setTimeout(done, ms)),
  };
  return {
    admin,
    close: async () => {
      await (await chain?.catch(() => undefined))?.stop();
      await close();
      folder?.release();
    },
  };
}

/** PostgreSQL is left as it is: looking with a newer version must not change what the servers of the older one use. */
async function openFor(database: Config['database']): Promise<OpenDatabase> {
  return database.kind === 'postgres' ? openUnmigrated(database.url, MAX_QUERY_MS) : openDatabase(database);
}
