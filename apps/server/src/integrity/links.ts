import type { MatchId } from '@engulf/domain/ids/entity-ids';
import type { PairEvidence } from '@engulf/integrity/evidence';
import { and, countDistinct, eq, inArray, isNotNull, notInArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { entries } from '../platform/database/games.ts';
import type { CaseRow } from '../platform/database/integrity.ts';
import { payouts } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';
import { evidenceOf } from './cases.ts';

/*
 * What two accounts share. Not evidence, because somebody can bring it about alone: follow another into a match, sit in the
 * same café, send money to its wallet. It helps a person to decide.
 */

const TOGETHER_SECONDS = 10;

/** One line for each thing they share. */
export async function describeLinks(db: Database, row: CaseRow): Promise<string[]> {
  if (!row.partner) return [];
  const rows = await evidenceOf(db, row);
  const evidence = rows.map(({ sums }) => sums as PairEvidence);
  const given = evidence.reduce((sum, { bountyGiven }) => sum + bountyGiven, 0);
  const near = evidence.reduce((sum, { nearSeconds }) => sum + nearSeconds, 0);
  const shared = evidence.reduce((sum, { sharedSeconds }) => sum + sharedSeconds, 0);
  const together = evidence.filter(({ joinGapSeconds }) => joinGapSeconds < TOGETHER_SECONDS).length;
  const addresses = await sharedAddresses(db, row);
  const wallets = await sharedWallets(db, row);
  return [
    `Bounty that went to the partner: ${given.toFixed(1)} stakes. Near each other for ${Math.round(near)} of ${Math.round(shared)} s. Entered together in ${together} of ${evidence.length} matches.`,
    ...(addresses > 0
      ? [`Both played from the same address (${addresses} of them, known for 90 days).`]
      : []),
    ...(await describeTraits(
      db,
      row,
      rows.map(({ matchId }) => matchId),
    )),
    ...(wallets > 0 ? ['Payouts of both went to one wallet.'] : []),
  ];
}

async function sharedAddresses(db: Database, { actor, partner }: CaseRow): Promise<number> {
  const others = alias(entries, 'others');
  const [row] = await db
    .select({ count: sql<number>`count(distinct ${entries.addressHash})::int` })
    .from(entries)
    .innerJoin(others, and(eq(others.addressHash, entries.addressHash), eq(others.userId, partner!)))
    .where(and(eq(entries.userId, actor), isNotNull(entries.addressHash)));
  return row!.count;
}

/** Very many people have the same, so how many is a part of it. */
async function describeTraits(
  db: Database,
  { actor, partner }: CaseRow,
  matchIds: readonly MatchId[],
): Promise<string[]> {
  const others = alias(entries, 'others');
  const shared = await db
    .selectDistinct({ hash: entries.traitsHash })
    .from(entries)
    .innerJoin(others, and(eq(others.traitsHash, entries.traitsHash), eq(others.userId, partner!)))
    .where(and(eq(entries.userId, actor), isNotNull(entries.traitsHash)));
  if (shared.length === 0 || matchIds.length === 0) return [];
  const hashes = shared.map(({ hash }) => hash!);
  const [among] = await db
    .select({
      all: countDistinct(entries.userId),
      same: sql<number>`count(distinct case when ${inArray(entries.traitsHash, hashes)} then ${entries.userId} end)::int`,
    })
    .from(entries)
    .where(
      and(
        inArray(entries.matchId, matchIds),
        isNotNull(entries.traitsHash),
        notInArray(entries.userId, [actor, partner!]),
      ),
    );
  const { all, same } = among!;
  return [
    `Both used a browser of the same kind and language (known for 90 days), as did ${same} of ${all} others in these matches. Alone this says nothing.`,
  ];
}

async function sharedWallets(db: Database, { actor, partner }: CaseRow): Promise<number> {
  const others = alias(payouts, 'others');
  const [row] = await db
    .select({ count: sql<number>`count(distinct ${payouts.wallet})::int` })
    .from(payouts)
    .innerJoin(others, and(eq(others.wallet, payouts.wallet), eq(others.userId, partner!)))
    .where(eq(payouts.userId, actor));
  return row!.count;
}
