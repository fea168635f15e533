import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { and, eq, inArray, isNotNull, notExists } from 'drizzle-orm';
import { type EntryRow, payments } from '../platform/database/games.ts';
import { payouts } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';

/**
 * What players sign their inputs with: the keys that their payments name. Of the payments that everybody is shown as those of
 * the entries, because whoever checks a match reads the keys there: not of one that was given back.
 */
export async function readInputsKeys(tx: Database, of: readonly EntryRow[]): Promise<Map<EntryId, string>> {
  const ids = of.map(({ id }) => id);
  const isKept = notExists(tx.select().from(payouts).where(eq(payouts.paymentId, payments.id)));
  const rows = await tx
    .select({ entryId: payments.entryId, inputsKey: payments.inputsKey })
    .from(payments)
    .where(
      and(
        inArray(payments.entryId, ids),
        eq(payments.status, 'verified'),
        isNotNull(payments.inputsKey),
        isKept,
      ),
    );
  return new Map(rows.map(({ entryId, inputsKey }) => [entryId!, inputsKey!]));
}
