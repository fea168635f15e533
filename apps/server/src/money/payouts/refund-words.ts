import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { and, eq, inArray, or } from 'drizzle-orm';
import { payments } from '../../platform/database/games.ts';
import type { Database } from '../../platform/database/open-database.ts';

/** So many fit beside the payments themselves. */
export const MAX_NAMED_REFUNDS = 4;

/** Of a signature, enough to tell it from all others of a lobby. */
const NAME_CHARS = 12;

/**
 * How refunds name the payments that they return: by the id of a payment that gave no seat, or of an entry that was in no
 * match.
 */
export async function readRefundNames(
  db: Database,
  of: { readonly payments: readonly string[]; readonly entries: readonly EntryId[] },
): Promise<ReadonlyMap<string, string>> {
  if (of.payments.length + of.entries.length === 0) return new Map();
  const ofEntry = and(inArray(payments.entryId, [...of.entries]), eq(payments.status, 'verified'));
  const rows = await db
    .select({ id: payments.id, entryId: payments.entryId, signature: payments.signature })
    .from(payments)
    .where(or(inArray(payments.id, [...of.payments]), ofEntry));
  const isAsked = new Set(of.payments);
  return new Map(
    rows.map(({ id, entryId, signature }) => [
      isAsked.has(id) ? id : (entryId ?? id),
      signature.slice(0, NAME_CHARS),
    ]),
  );
}

/** What a batch writes to the chain about the payments that it returns. */
export function refundWord(names: readonly string[]): string {
  return `refund:${names.join(',')}`;
}
