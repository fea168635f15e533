import { findAgreedBlock, nameSlot } from '@engulf/chain/node/public-block';
import type { PublicPart } from '@engulf/sim/keys';
import type { Context } from '../platform/context.ts';
import { publicPartOf } from './match-origin.ts';

/*
 * Blocks for the portals of running matches. Matches do not wait for them, so a node that does not answer costs a wave its
 * block and nothing else.
 */

/** The newest slot of all nodes: one that lags must not name a block that others know. Undefined if none answers. */
export async function readNewestSlot({
  chain,
  logger,
}: Pick<Context, 'chain' | 'logger'>): Promise<bigint | undefined> {
  try {
    return await nameSlot(chain.nodes, 0n);
  } catch (error) {
    logger.warn({ code: 'BEACON_MISSED', err: error }, 'no node can name a block for portals');
    return undefined;
  }
}

/** Confirmed is enough: such a block has never been replaced, and waiting for finality would give its finder ten seconds more. */
export async function findBeacon(
  { chain, logger }: Pick<Context, 'chain' | 'logger'>,
  decides: bigint,
): Promise<PublicPart | undefined> {
  try {
    const block = await findAgreedBlock(chain.nodes, decides, 'confirmed');
    return block && publicPartOf(block);
  } catch (error) {
    logger.warn({ code: 'BEACON_MISSED', err: error }, 'no node shows a block for portals');
    return undefined;
  }
}
