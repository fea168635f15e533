import type { UserId } from '@engulf/domain/ids/entity-ids';
import { and, eq, inArray, isNotNull, ne, or } from 'drizzle-orm';
import { type CaseRow, integrityCases } from '../platform/database/integrity.ts';
import { payouts } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';

/*
 * A pair that works together has two cases, and a player may have several. What one of them asked for stays when another is
 * dismissed.
 */

/** Cases of these people that were acted on and not dismissed since, without this one. */
async function standingCases(db: Database, { id, actor, partner }: CaseRow): Promise<CaseRow[]> {
  const people = partner === null ? [actor] : [actor, partner];
  return db
    .select()
    .from(integrityCases)
    .where(
      and(
        ne(integrityCases.id, id),
        ne(integrityCases.state, 'dismissed'),
        isNotNull(integrityCases.decision),
        or(inArray(integrityCases.actor, people), inArray(integrityCases.partner, people)),
      ),
    );
}

/** Another case that keeps the two of this one apart. */
export async function alsoApart(db: Database, row: CaseRow): Promise<CaseRow | undefined> {
  return (await standingCases(db, row)).find(
    ({ actor, partner, decision }) =>
      decision!.includes('apart') &&
      ((actor === row.actor && partner === row.partner) || (actor === row.partner && partner === row.actor)),
  );
}

export const holdReasonOf = ({ id }: Pick<CaseRow, 'id'>): string => `integrity case ${id}`;

/** The payouts that are held for a case, each with another one that holds it as well. */
export async function payoutsHeldFor(
  db: Database,
  row: CaseRow,
): Promise<{ readonly id: string; readonly also: CaseRow | undefined }[]> {
  const held = await db
    .select({ id: payouts.id, userId: payouts.userId })
    .from(payouts)
    .where(eq(payouts.holdReason, holdReasonOf(row)));
  const others = (await standingCases(db, row)).filter(({ decision }) => decision!.includes('hold'));
  return held.map(({ id, userId }) => ({ id, also: others.find((one) => isAgainst(one, userId)) }));
}

function isAgainst({ actor, partner, decision }: CaseRow, userId: UserId | null): boolean {
  return actor === userId || (partner === userId && decision!.includes('partner too'));
}
