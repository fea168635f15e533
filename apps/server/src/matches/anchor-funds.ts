import { ANCHOR_LAMPORTS } from '@engulf/chain/anchors/anchor-message';
import type { Context } from '../platform/context.ts';

/** Two transactions a match; fewer than this many are a matter of days in a busy lobby. */
const LOW_TRANSACTIONS = 1_000;

/** Alarms while the key that publishes commitments can pay for few of them, or is missing although money is at stake. */
export async function checkAnchorFunds({ chain, logger }: Pick<Context, 'chain' | 'logger'>): Promise<void> {
  if (!chain.anchorKey) {
    logger.error(
      { code: 'ANCHOR_KEY_MISSING' },
      'no ANCHOR_KEYPAIR: matches for money begin with a commitment that is not on the chain',
    );
    return;
  }
  const { address } = chain.anchorKey;
  const { value: lamports } = await chain.rpc.getBalance(address, { commitment: 'confirmed' }).send();
  const left = Number(lamports / ANCHOR_LAMPORTS);
  if (left < LOW_TRANSACTIONS)
    logger.error({ code: 'ANCHOR_FUNDS_LOW', address, lamports, left }, 'the anchor key needs SOL soon');
}
