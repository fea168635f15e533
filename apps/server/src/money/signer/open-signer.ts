import type { Config } from '../../platform/config/config.ts';
import type { Context } from '../../platform/context.ts';
import { openKey } from '../../platform/super-admin-key.ts';
import { createClaimSigner } from './claim-signer.ts';
import { createRemoteSigner } from './remote-signer.ts';
import type { Signer } from './signer.ts';
import { createTableLog } from './table-log.ts';

/** The signer of a worker: in another process if one is configured, or else with the key in this one. */
export function openSigner(
  { chain, db, logger, nowMs }: Context,
  { limits, maxPriorityFeeLamports, signer }: Config['payouts'],
): Signer {
  if (signer) return createRemoteSigner(signer.url, signer.secret);
  return createClaimSigner({
    key: openKey(chain.superAdminKey),
    programId: chain.programId,
    limits,
    maxPriorityFeeLamports,
    log: createTableLog(db),
    isReleased: ({ isReleased }) => isReleased,
    logger,
    nowMs,
  });
}
