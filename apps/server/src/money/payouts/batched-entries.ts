import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { eq } from 'drizzle-orm';
import { payments } from '../../platform/database/games.ts';
import { payouts } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';

/** Whose entries a batch pays for. A payment that got no seat is refunded without an entry's result. */
export async function entriesIn(
  db: Database,
  batchId: string,
): Promise<{ readonly entryId: EntryId; readonly owedSince: Date }[]> {
  const rows = await db
    .select({ played: payouts.entryId, refused: payments.entryId, owedSince: payouts.createdAt })
    .from(payouts)
    .leftJoin(payments, eq(payments.id, payouts.paymentId))
    .where(eq(payouts.batchId, batchId));
  return rows.flatMap(({ played, refused, owedSince }) => {
    const entryId = played ?? refused;
    return entryId === null ? [] : [{ entryId, owedSince }];
  });
}
