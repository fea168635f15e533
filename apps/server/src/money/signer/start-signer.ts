import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { address, createKeyPairSignerFromBytes } from '@solana/kit';
import type { Logger } from 'pino';
import { systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { openDataFolder } from '../../platform/storage/data-folder.ts';
import { createClaimSigner } from './claim-signer.ts';
import { openFileLog } from './file-log.ts';
import type { BatchReward } from './signer.ts';
import { createSignerServer } from './signer-server.ts';

/**
 * The role of a process that has the key and a folder, but no database, node or page. Its limits hold even if the worker
 * or the database is compromised.
 */
export async function startSigner(
  config: Config,
  logger: Logger,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  if (!config.signerRole) throw new Error('The role signer is not configured');
  const { superAdminKeypair, payoutKeypair, programId, secret } = config.signerRole;
  const { nowMs } = systemClock;
  const folder = openDataFolder(config.dataDir);
  const log = openFileLog(join(config.dataDir, 'signer-log.jsonl'), nowMs);
  const signer = createClaimSigner({
    keys: {
      superAdmin: superAdminKeypair && (await createKeyPairSignerFromBytes(superAdminKeypair)),
      payoutKey: payoutKeypair && (await createKeyPairSignerFromBytes(payoutKeypair)),
    },
    programId: address(programId),
    limits: config.payouts.limits,
    maxPriorityFeeLamports: config.payouts.maxPriorityFeeLamports,
    log,
    releasesOf: (reward) => countReleases(join(config.dataDir, 'released-payouts'), reward),
    nowMs,
  });
  const server = createSignerServer(signer, secret, logger);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  return {
    url: `http://${config.host}:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      await new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      });
      log.close();
      folder.release();
    },
  };
}

/** The worker is not trusted: a person has to list the payout on this machine, as `id wallet amount`, a line for each time. */
function countReleases(path: string, { payoutId, player, amount }: BatchReward): number {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    const wanted = `${payoutId} ${player} ${amount}`;
    return lines.filter((line) => line.trim().split(/\s+/).join(' ') === wanted).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
