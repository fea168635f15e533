import { findAgreedBlock, nameSlot } from '@engulf/chain/node/public-block';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import type { PublicPart } from '@engulf/sim/keys';
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { payments } from '../platform/database/games.ts';
import { publicPartOf } from './match-origin.ts';

/*
 * Blocks for the portals of running matches. Matches do not wait for them, so a node that does not answer costs a wave its
 * block and nothing else.
 */

/**
 * The newest slot of all nodes: one that lags must not name a block that others know. Undefined if none answers, or if all are
 * behind a payment of the lobby: whoever checks the match would see that the block was there when it was named.
 */
export async function readNewestSlot(
  { db, chain, logger }: Pick<Context, 'db' | 'chain' | 'logger'>,
  lobbyId: LobbyId,
): Promise<bigint | undefined> {
  try {
    const newest = await nameSlot(chain.nodes, 0n);
    const [latest] = await db
      .select({ slot: payments.slot })
      .from(payments)
      .where(and(eq(payments.lobbyId, lobbyId), isNotNull(payments.slot)))
      .orderBy(desc(payments.slot))
      .limit(1);
    if (newest >= (latest?.slot ?? 0n)) return newest;
    throw new Error(`All nodes are behind slot ${latest!.slot}, in which an entry was paid for`);
  } catch (error) {
    logger.warn({ code: 'BEACON_MISSED', err: error, lobbyId }, 'no node can name a block for portals');
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
