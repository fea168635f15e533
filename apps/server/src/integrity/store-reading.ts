import type { MatchId } from '@engulf/domain/ids/entity-ids';
import { pairFrom, playerFrom } from '@engulf/integrity/evidence';
import { addMatch, noTotals } from '@engulf/integrity/score';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { integrityEvidence, integrityReadings } from '../platform/database/integrity.ts';
import type { Database } from '../platform/database/open-database.ts';
import type { ReadPart } from './reading-thread.ts';

/** A part of a recording that is read in one go. */
export type ReadingStep = {
  readonly matchId: MatchId;
  readonly secret: string;
  readonly firstPart: number;
  /** The one after its last. */
  readonly nextPart: number;
  /** The match ends with it. */
  readonly isLast: boolean;
};

const WRITE_ROWS = 500;

type EvidenceRow = typeof integrityEvidence.$inferInsert;

/** One transaction, so that a part is either read, with everything it says, or not. */
export async function storeReading(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  { matchId, firstPart, nextPart, isLast }: ReadingStep,
  result: ReadPart,
): Promise<void> {
  const readAt = new Date(nowMs());
  const isDone = isLast || !result.ok;
  const reading = {
    readAt,
    problem: result.ok ? null : result.problem,
    nextPart: isDone ? null : nextPart,
    carry: isDone || !result.ok ? null : result.carry,
  };
  await db.transaction(async (tx) => {
    const noted =
      firstPart === 0
        ? await tx
            .insert(integrityReadings)
            .values({ matchId, ...reading })
            .onConflictDoNothing()
            .returning({ matchId: integrityReadings.matchId })
        : await tx
            .update(integrityReadings)
            .set(reading)
            .where(and(eq(integrityReadings.matchId, matchId), eq(integrityReadings.nextPart, firstPart)))
            .returning({ matchId: integrityReadings.matchId });
    // Another worker was faster.
    if (noted.length === 0 || !result.ok) return;
    const { players, pairs } = result.evidence;
    const rows = [
      ...players.map((sums) => ({ matchId, readAt, actor: sums.player, partner: sums.player, sums })),
      ...pairs
        .filter(({ actor, partner }) => actor !== partner)
        .map((sums) => ({ matchId, readAt, actor: sums.actor, partner: sums.partner, sums })),
    ] as EvidenceRow[];
    for (let at = 0; at < rows.length; at += WRITE_ROWS) {
      const some = rows.slice(at, at + WRITE_ROWS);
      await addEvidence(tx, firstPart === 0 ? some : await addToEarlier(tx, matchId, some));
    }
  });
}

/** All of it has been read already. */
export async function endReading({ db }: Pick<Context, 'db'>, matchId: MatchId): Promise<void> {
  await db
    .update(integrityReadings)
    .set({ nextPart: null, carry: null })
    .where(eq(integrityReadings.matchId, matchId));
}

async function addEvidence(tx: Database, rows: EvidenceRow[]): Promise<void> {
  await tx
    .insert(integrityEvidence)
    .values(rows)
    .onConflictDoUpdate({
      target: [integrityEvidence.matchId, integrityEvidence.actor, integrityEvidence.partner],
      set: { sums: sql`excluded.sums`, readAt: sql`excluded.read_at`, isSettled: false },
    });
}

/** With what earlier parts of the match say, except for what a dismissed case rested on. */
async function addToEarlier(tx: Database, matchId: MatchId, rows: EvidenceRow[]): Promise<EvidenceRow[]> {
  const earlier = await tx
    .select()
    .from(integrityEvidence)
    .where(
      and(
        eq(integrityEvidence.matchId, matchId),
        eq(integrityEvidence.isSettled, false),
        inArray(integrityEvidence.actor, [...new Set(rows.map(({ actor }) => actor))]),
        inArray(integrityEvidence.partner, [...new Set(rows.map(({ partner }) => partner))]),
      ),
    );
  const sumsOf = new Map(earlier.map(({ actor, partner, sums }) => [`${actor} ${partner}`, sums]));
  return rows.map((row) => {
    const { actor, partner } = row;
    const before = sumsOf.get(`${actor} ${partner}`);
    if (before === undefined) return row;
    const totals = noTotals();
    for (const sums of [before, row.sums]) {
      const isAlone = actor === partner;
      addMatch(totals, {
        seconds: 0,
        players: isAlone ? [playerFrom(actor, sums)] : [],
        pairs: isAlone ? [] : [pairFrom(actor, partner, sums)],
      });
    }
    const [sum] = [...totals.players.values(), ...totals.pairs.values()];
    return { ...row, sums: sum };
  });
}
