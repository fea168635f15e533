import { randomUUID } from 'node:crypto';
import { type EntryId, entryId, paymentSessionId } from '@engulf/domain/ids/entity-ids';
import { entries } from '../src/platform/database/games.ts';
import type { Database } from '../src/platform/database/open-database.ts';

export type NewEntry = Partial<typeof entries.$inferInsert>;

/** An entry that ended with 0.342 SOL for a fee of 0.1, unless told otherwise. */
export async function insertCashOut(
  db: Database,
  entry: NewEntry & Pick<typeof entries.$inferInsert, 'userId' | 'lobbyId'>,
): Promise<EntryId> {
  const id = entryId(randomUUID());
  await db.insert(entries).values({
    id,
    state: 'ended',
    paymentSessionId: paymentSessionId(randomUUID()),
    entryFee: 100_000_000n,
    stake: 95_000_000n,
    endedAt: new Date(),
    outcome: 'cashout',
    payoutAmount: 342_000_000n,
    usdValue: 48_770_000n,
    finalMassMilli: 2_184_900,
    ...entry,
  });
  return id;
}
