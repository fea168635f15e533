import { MAX_PROOFS } from '@engulf/chain/payouts/claim-message';
import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { eq, inArray, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { entries, matches } from '../../platform/database/games.ts';
import { MAX_NAMED_REFUNDS, readRefundNames, refundWord } from './refund-words.ts';

/**
 * What a batch of payouts writes to the chain for each match that it pays: the commitment and the hash of its recording, or,
 * while the match runs, of what is stored of it so far, so that nobody can replace them later. If a batch cannot name all
 * matches, the payouts of the others wait for the next one: a payout without its commitment does not pass the check of its
 * match. A refund names the payment that it returns.
 */
export async function chooseProven<
  Payout extends { readonly entryId: EntryId | null; readonly paymentId?: string | null },
>(
  { db }: Pick<Context, 'db'>,
  due: readonly Payout[],
): Promise<{ readonly proofs: string[]; readonly proven: Payout[] }> {
  const paid = due.flatMap(({ entryId }) => (entryId === null ? [] : [entryId]));
  const rows =
    paid.length === 0
      ? []
      : await db
          .select({ entryId: entries.id, commitment: matches.commitment, hash: latestHash })
          .from(entries)
          .innerJoin(matches, eq(matches.id, entries.matchId))
          .where(inArray(entries.id, paid));
  const proofOf = new Map<EntryId | null, string>(
    rows.map(({ entryId, commitment, hash }) => [
      entryId,
      [commitment, ...(hash === null ? [] : [hash])].map(compact).join(':'),
    ]),
  );
  const refundNames = await readRefundNames(db, {
    payments: due.flatMap(({ paymentId }) => paymentId ?? []),
    entries: paid.filter((entryId) => !proofOf.has(entryId)),
  });
  const proofs = new Set<string>();
  const refunds: string[] = [];
  const hasRoom = () => proofs.size + Math.min(1, refunds.length) < MAX_PROOFS;
  const proven = due.filter(({ entryId, paymentId }) => {
    const refund = refundNames.get(paymentId ?? entryId ?? '');
    if (refund !== undefined) {
      const fits = refunds.length === 0 ? hasRoom() : refunds.length < MAX_NAMED_REFUNDS;
      if (fits) refunds.push(refund);
      return fits;
    }
    const proof = proofOf.get(entryId);
    if (proof === undefined) return true;
    if (hasRoom()) proofs.add(proof);
    return proofs.has(proof);
  });
  return { proofs: [...proofs, ...(refunds.length > 0 ? [refundWord(refunds)] : [])], proven };
}

const latestHash = sql<string | null>`coalesce(${matches.finalHash}, ${matches.storedHash})`;

/** 43 characters instead of 64. */
function compact(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url');
}
