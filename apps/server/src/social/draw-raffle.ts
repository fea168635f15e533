import { raffleBlockMs, raffleDay } from '@engulf/domain/social/raffle';
import { and, eq, inArray, isNull, lt } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { users } from '../platform/database/people.ts';
import { raffleDays, raffleEntries } from '../platform/database/social.ts';
import { type FirstBlock, findFirstBlock } from './first-block.ts';
import { blockFromOf, drawWinners } from './raffle-rule.ts';

/** Days that are over and not drawn. */
export async function undrawnRaffles({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>): Promise<string[]> {
  const rows = await db
    .select({ day: raffleDays.day })
    .from(raffleDays)
    .where(and(isNull(raffleDays.drawnAt), lt(raffleDays.day, raffleDay(nowMs()))));
  return rows.map(({ day }) => day);
}

/**
 * Draws the raffle of a day: closes the list, then takes the deciding block, then decides in one transaction. Can be
 * interrupted anywhere and run by several workers: every step is taken once. Does nothing while the deciding block is not
 * finalized, or the node cannot tell which one it is.
 */
export async function drawRaffle(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  day: string,
  { winnersPerDay, findBlock = findFirstBlock }: { winnersPerDay: number; findBlock?: FindBlock },
): Promise<void> {
  const blockFromMs = await closeRaffle(context, day, winnersPerDay);
  const block = await findBlock(context.chain, blockFromMs);
  if (block === 'forgotten') {
    context.logger.error(
      { code: 'RAFFLE_BLOCK_FORGOTTEN', day },
      'the node no longer has the block that decides a raffle',
    );
  } else if (block) {
    await decideRaffle(context, day, block);
  }
}

type FindBlock = (chain: Context['chain'], atMs: number) => ReturnType<typeof findFirstBlock>;

/** Waits for entries that are being written, then accepts no more. Returns from when on a block decides. */
async function closeRaffle(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  day: string,
  winnersPerDay: number,
): Promise<number> {
  await db
    .update(raffleDays)
    .set({ closedAt: new Date(nowMs()), winnersPerDay, blockFrom: new Date(raffleBlockMs(day)) })
    .where(and(eq(raffleDays.day, day), isNull(raffleDays.closedAt)));
  const [closed] = await db.select().from(raffleDays).where(eq(raffleDays.day, day));
  return blockFromOf(closed!);
}

async function decideRaffle(
  { db, nowMs, logger }: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  day: string,
  { slot, blockhash }: FirstBlock,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [decided] = await tx
      .update(raffleDays)
      .set({ drawnAt: new Date(nowMs()), slot, blockhash })
      .where(and(eq(raffleDays.day, day), isNull(raffleDays.drawnAt)))
      .returning();
    if (!decided) return;
    const entries = await tx.select().from(raffleEntries).where(eq(raffleEntries.day, day));
    const wallets = entries.map(({ walletAddress }) => walletAddress);
    const winners = new Set(drawWinners(blockhash, wallets, decided.winnersPerDay!));
    const winnerIds = entries.filter((entry) => winners.has(entry.walletAddress)).map(({ userId }) => userId);
    await tx.update(raffleEntries).set({ result: 'lost' }).where(eq(raffleEntries.day, day));
    if (winnerIds.length > 0) {
      await tx
        .update(raffleEntries)
        .set({ result: 'won' })
        .where(and(eq(raffleEntries.day, day), inArray(raffleEntries.userId, winnerIds)));
      await tx.update(users).set({ isRaffleWinner: true }).where(inArray(users.id, winnerIds));
    }
    logger.info({ day, slot: slot.toString(), entries: entries.length, winnerIds }, 'the raffle was drawn');
  });
}
