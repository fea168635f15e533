import { MAX_U64 } from '@engulf/domain/money/u64';
import type { Address } from '@solana/kit';
import type { Config } from '../../platform/config/config.ts';
import type { Context } from '../../platform/context.ts';
import { openKey } from '../../platform/super-admin-key.ts';
import { createClaimSigner } from './claim-signer.ts';
import type { PayoutLimits } from './limits.ts';
import { createRemoteSigner } from './remote-signer.ts';
import type { Signer } from './signer.ts';
import { createTableLog } from './table-log.ts';

/** The signer of a worker: in another process if one is configured, or else with the key in this one. */
export function openSigner(
  { chain, db, nowMs }: Pick<Context, 'db' | 'chain' | 'nowMs'>,
  { limits, maxPriorityFeeLamports, signer }: Config['payouts'],
): Signer {
  if (signer) return createRemoteSigner(signer.url, signer.secret);
  const { superAdminKey, payoutKey } = chain;
  return createClaimSigner({
    keys: {
      // Without either it says which setting is missing.
      superAdmin: superAdminKey || !payoutKey ? openKey(superAdminKey) : undefined,
      payoutKey: payoutKey && openKey(payoutKey),
    },
    programId: chain.programId,
    limits: chain.test ? withPlayMoney(limits, chain.test.token.mint) : limits,
    maxPriorityFeeLamports,
    log: createTableLog(db),
    releasesOf: ({ isReleased }) => (isReleased ? 1 : 0),
    nowMs,
  });
}

const NO_LIMIT = { payout: MAX_U64, lobbyHour: MAX_U64, hour: MAX_U64, day: MAX_U64 };

/** The test token of the embedded chain costs nothing. */
function withPlayMoney(limits: PayoutLimits, mint: Address): PayoutLimits {
  return { ...limits, tokens: { [mint]: NO_LIMIT, ...limits.tokens } };
}
