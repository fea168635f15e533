import { describeFailure, failure } from '@engulf/domain/errors/registry';
import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { and, eq, lte } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { type EntryRow, entries } from '../platform/database/games.ts';
import { payouts } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';
import { advance, lockEntry } from './entry-states.ts';
import { settleEntry } from './settle-entry.ts';

const TIMED_OUT = {
  code: 'PAYMENT_TIMEOUT',
  message: describeFailure(failure('PAYMENT_TIMEOUT')).text,
} as const;

/** Entries that have timed out: seats nobody paid for, payments nobody could verify, tickets nobody used. */
export async function timedOutEntries({ db, nowMs }: Context): Promise<EntryId[]> {
  const rows = await db
    .select({ id: entries.id })
    .from(entries)
    .where(lte(entries.stateExpiresAt, new Date(nowMs())));
  return rows.map(({ id }) => id);
}

export async function expireEntry(context: Context, id: EntryId): Promise<void> {
  await context.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, id);
    const isTimedOut = entry?.stateExpiresAt && entry.stateExpiresAt.getTime() <= context.nowMs();
    if (isTimedOut) await expire(context, tx, entry);
  });
}

async function expire(context: Context, tx: Database, entry: EntryRow): Promise<void> {
  switch (entry.state) {
    case 'created':
      await advance(tx, entry, 'expired', {});
      return;
    case 'payment_processing':
      await advance(tx, entry, 'payment_timeout', { failure: TIMED_OUT });
      return;
    case 'ticketSent':
      await settleEntry(context, tx, {
        entryId: entry.id,
        kind: 'unclaimed',
        amount: undefined,
        massMilli: null,
      });
  }
}

/** Unclaimed entries whose refund has arrived. */
export async function refundedEntries({ db }: Context): Promise<EntryId[]> {
  const rows = await db
    .select({ id: entries.id })
    .from(entries)
    .innerJoin(payouts, eq(payouts.entryId, entries.id))
    .where(and(eq(entries.state, 'refunding'), eq(payouts.status, 'completed')));
  return rows.map(({ id }) => id);
}

export async function closeRefundedEntry({ db }: Context, id: EntryId): Promise<void> {
  await db.transaction(async (tx) => {
    const entry = await lockEntry(tx, id);
    if (entry?.state === 'refunding') await advance(tx, entry, 'expired', {});
  });
}
