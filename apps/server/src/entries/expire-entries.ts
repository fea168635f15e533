import { describeFailure, failure } from '@engulf/domain/errors/registry';
import { and, eq, lte } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import { settleEntry } from './settle-entry.ts';

/** Ends what has run out: seats nobody paid for, tickets nobody used, payments nobody could verify. */
export async function expireEntries(context: Context): Promise<void> {
  const now = new Date(context.nowMs());
  const due = await context.db
    .select({ id: entries.id })
    .from(entries)
    .where(lte(entries.stateExpiresAt, now));
  for (const { id } of due) {
    await context.db.transaction(async (tx) => {
      const [entry] = await tx
        .select()
        .from(entries)
        .where(and(eq(entries.id, id), lte(entries.stateExpiresAt, now)))
        .for('update');
      switch (entry?.state) {
        case 'created':
          await tx.update(entries).set({ state: 'expired', stateExpiresAt: null }).where(eq(entries.id, id));
          return;
        case 'payment_processing':
          await tx
            .update(entries)
            .set({ state: 'payment_timeout', stateExpiresAt: null, failure: TIMED_OUT })
            .where(eq(entries.id, id));
          return;
        case 'ticketSent':
          await settleEntry(context, tx, {
            entryId: id,
            kind: 'unclaimed',
            amount: undefined,
            massMilli: null,
          });
      }
    });
  }
}

const TIMED_OUT = {
  code: 'PAYMENT_TIMEOUT',
  message: describeFailure(failure('PAYMENT_TIMEOUT')).text,
} as const;
