import { MAX_PROOFS } from '@engulf/chain/claim-message';
import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { eq, inArray } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { entries, matches } from '../../platform/database/games.ts';

/**
 * What a batch of payouts writes onto the chain for each match that it pays: the commitment and, once the match has
 * ended, the hash of its recording. So nobody can exchange them later.
 */
export async function matchProofs(
  { db }: Context,
  due: readonly { readonly entryId: EntryId | null }[],
): Promise<string[]> {
  const paid = due.flatMap(({ entryId }) => (entryId === null ? [] : [entryId]));
  if (paid.length === 0) return [];
  const rows = await db
    .selectDistinct({ commitment: matches.commitment, finalHash: matches.finalHash })
    .from(entries)
    .innerJoin(matches, eq(matches.id, entries.matchId))
    .where(inArray(entries.id, paid));
  return rows
    .slice(0, MAX_PROOFS)
    .map(({ commitment, finalHash }) =>
      [commitment, ...(finalHash === null ? [] : [finalHash])].map(compact).join(':'),
    );
}

/** 43 characters instead of 64. */
function compact(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url');
}
