import type { LobbyId, WalletAddress } from '@engulf/domain/ids/entity-ids';
import { eq, lte } from 'drizzle-orm';
import type { Owed } from '../money/owed.ts';
import type { Context } from '../platform/context.ts';
import { solvencyHistory, solvencyNow } from '../platform/database/solvency.ts';

/*
 * The only writer of the readings. The worker keeps the newest of each lobby, and in the history the first of every hour
 * and every one that changed whether the pool covers what is owed. The history is never deleted.
 */

/** A lobby's pool on the chain, and what the books owed out of it at that time. */
export type Reading = Omit<Owed, 'held'> & {
  readonly account: WalletAddress;
  readonly readAtMs: number;
  readonly slot: bigint;
  readonly pool: bigint;
  readonly isCovered: boolean;
};

const HOUR_MS = 3_600_000;

export async function recordReading(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  lobbyId: LobbyId,
  { account, readAtMs, ...reading }: Reading,
): Promise<void> {
  const values = { ...reading, lobbyId, readAt: new Date(readAtMs) };
  await db.transaction(async (tx) => {
    const [previous] = await tx
      .select({ isCovered: solvencyNow.isCovered })
      .from(solvencyNow)
      .where(eq(solvencyNow.lobbyId, lobbyId))
      .for('update');
    const [newest] = await tx
      .insert(solvencyNow)
      .values({ ...values, account })
      .onConflictDoUpdate({
        target: solvencyNow.lobbyId,
        set: { ...values, account },
        // A slower worker must not replace what a faster one has read.
        setWhere: lte(solvencyNow.slot, reading.slot),
      })
      .returning({ lobbyId: solvencyNow.lobbyId });
    if (!newest) return;
    const [hourly] = await tx
      .insert(solvencyHistory)
      .values({ ...values, hour: new Date(readAtMs - (readAtMs % HOUR_MS)) })
      .onConflictDoNothing()
      .returning({ id: solvencyHistory.id });
    const isChange = previous !== undefined && previous.isCovered !== reading.isCovered;
    if (isChange && !hourly) await tx.insert(solvencyHistory).values(values);
    if (isChange)
      logger.warn({ code: 'POOL_STATE_CHANGED', ...values }, 'the public state of a pool changed');
  });
}
