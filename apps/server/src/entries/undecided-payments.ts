import type { PaymentSessionId, UserId } from '@engulf/domain/ids/entity-ids';
import { inArray } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { entries, WAITING_STATES } from '../platform/database/games.ts';
import { prepareOnce } from '../platform/database/prepare-once.ts';

/** Users whose payments are awaited or being verified. There are few: an entry is in these states for seconds. */
export async function listUndecidedPayments({
  db,
}: Pick<Context, 'db'>): Promise<Map<PaymentSessionId, UserId>> {
  const rows = await listUndecided(db).execute();
  return new Map(rows.map(({ id, userId }) => [id, userId]));
}

const listUndecided = prepareOnce((db) =>
  db
    .select({ id: entries.paymentSessionId, userId: entries.userId })
    .from(entries)
    .where(inArray(entries.state, WAITING_STATES)),
);
