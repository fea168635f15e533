import { MAX_PROOFS } from '@engulf/chain/payouts/claim-message';
import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { eq, inArray } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { entries, matches } from '../../platform/database/games.ts';

/**
 * What a batch of payouts writes to the chain for each match that it pays: the commitment and, once the match has ended,
 * the hash of its recording, so that nobody can replace them later. If a batch cannot name all matches, the payouts of the
 * others wait for the next one: a payout without its commitment does not pass the check of its match.
 */
export async function chooseProven<Payout extends { readonly entryId: EntryId | null }>(
  { db }: Context,
  due: readonly Payout[],
): Promise<{ readonly proofs: string[]; readonly proven: Payout[] }> {
  const paid = due.flatMap(({ entryId }) => (entryId === null ? [] : [entryId]));
  const rows =
    paid.length === 0
      ? []
      : await db
          .select({ entryId: entries.id, commitment: matches.commitment, finalHash: matches.finalHash })
          .from(entries)
          .innerJoin(matches, eq(matches.id, entries.matchId))
          .where(inArray(entries.id, paid));
  const proofOf = new Map<EntryId | null, string>(
    rows.map(({ entryId, commitment, finalHash }) => [
      entryId,
      [commitment, ...(finalHash === null ? [] : [finalHash])].map(compact).join(':'),
    ]),
  );
  const proofs = new Set<string>();
  const proven = due.filter(({ entryId }) => {
    const proof = proofOf.get(entryId);
    if (proof === undefined) return true;
    if (proofs.size < MAX_PROOFS) proofs.add(proof);
    return proofs.has(proof);
  });
  return { proofs: [...proofs], proven };
}

/** 43 characters instead of 64. */
function compact(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url');
}
