import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Chain, openChain } from '../platform/chain/chain.ts';
import type { Config } from '../platform/config/config.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { createLoneState } from '../platform/fleet/shared-state.ts';
import { plainError } from '../platform/plain-error.ts';
import { deriveKeys } from '../platform/purpose-keys.ts';
import { openDataFolder } from '../platform/storage/data-folder.ts';
import { openFolderStorage } from '../platform/storage/storage.ts';
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
  const opening = openDatabase(config.database, undefined, MAX_QUERY_MS);
  const { db, close } = await opening.catch((error: unknown) => {
    folder?.release();
    throw error;
  });
  let chain: Promise<Chain> | undefined;
  const admin: AdminContext = {
    db,
    ...createLoneState({ logger, nowMs }),
    storage: openFolderStorage(join(config.dataDir, 'storage')),
    switches: openSwitches(db, nowMs),
    keys: deriveKeys(config.ticketSecret ?? folder!.secret('tickets')),
    logger,
    processId: randomUUID(),
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
