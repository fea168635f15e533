import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { eq, inArray } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { entries, matches } from '../../platform/database/games.ts';

/** More would leave no room for players. The payouts of one batch are almost always of one match. */
const MAX_MATCHES = 2;

/**
 * What a batch of payouts writes onto the chain: its own id, and for each match that it pays the commitment and, once
 * the match has ended, the hash of its recording. So nobody can exchange them later.
 */
export async function payoutMemo(
  { db }: Context,
  batchId: string,
  due: readonly { readonly entryId: EntryId | null }[],
): Promise<string> {
  const paid = due.flatMap(({ entryId }) => (entryId === null ? [] : [entryId]));
  if (paid.length === 0) return batchId;
  const rows = await db
    .selectDistinct({ commitment: matches.commitment, finalHash: matches.finalHash })
    .from(entries)
    .innerJoin(matches, eq(matches.id, entries.matchId))
    .where(inArray(entries.id, paid));
  const proofs = rows
    .slice(0, MAX_MATCHES)
    .map(({ commitment, finalHash }) =>
      [commitment, ...(finalHash === null ? [] : [finalHash])].map(compact),
    );
  return [batchId, ...proofs.map((hashes) => hashes.join(':'))].join(' ');
}

/** 43 characters instead of 64. */
function compact(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url');
}
