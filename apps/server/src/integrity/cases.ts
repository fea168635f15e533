import { randomUUID } from 'node:crypto';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import { pairFrom, playerFrom } from '@engulf/integrity/evidence';
import { addMatch, type Finding, noTotals, putForward, type Totals } from '@engulf/integrity/score';
import { and, asc, desc, eq, gt, isNull, max, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import {
  type CaseFinding,
  type CaseRow,
  integrityCases,
  integrityEvidence,
  integrityReadings,
  integrityReports,
} from '../platform/database/integrity.ts';
import type { Database } from '../platform/database/open-database.ts';
import { answerReports } from './reports.ts';

/*
 * The only writer of cases. The worker opens one for whoever is put forward and keeps its statistics up to date while it is
 * open; only a person decides it.
 */

/** What is older says little about how somebody plays now, and is forgotten. */
const EVIDENCE_DAYS = 90;
const DAY_MS = 86_400_000;
const PAGE_ROWS = 5_000;

/** When the newest match was read, if that was after the last look. Keeps the worker from looking at the same again. */
export async function newestReading({ db }: Pick<Context, 'db'>): Promise<number> {
  const [row] = await db.select({ at: max(integrityReadings.readAt) }).from(integrityReadings);
  return row?.at?.getTime() ?? 0;
}

/** Looks at everybody again and opens cases. */
export async function findCases(
  context: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  rate: number,
): Promise<void> {
  const found = putForward(await readTotals(context), rate);
  const bySubject = Map.groupBy(found, ({ actor, partner }) => `${actor} ${partner ?? ''}`);
  for (const findings of bySubject.values()) await openOrUpdate(context, findings);
}

async function readTotals({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>): Promise<Totals> {
  const totals = noTotals();
  const from = new Date(nowMs() - EVIDENCE_DAYS * DAY_MS);
  let after = { matchId: '', actor: '', partner: '' };
  for (;;) {
    const rows = await db
      .select()
      .from(integrityEvidence)
      .where(
        and(
          eq(integrityEvidence.isSettled, false),
          gt(integrityEvidence.readAt, from),
          after.matchId === ''
            ? undefined
            : sql`(${integrityEvidence.matchId}, ${integrityEvidence.actor}, ${integrityEvidence.partner}) > (${after.matchId}::uuid, ${after.actor}::uuid, ${after.partner}::uuid)`,
        ),
      )
      .orderBy(asc(integrityEvidence.matchId), asc(integrityEvidence.actor), asc(integrityEvidence.partner))
      .limit(PAGE_ROWS);
    for (const { actor, partner, sums } of rows) {
      const isAlone = actor === partner;
      addMatch(totals, {
        seconds: 0,
        players: isAlone ? [playerFrom(actor, sums)] : [],
        pairs: isAlone ? [] : [pairFrom(actor, partner, sums)],
      });
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return totals;
    after = last;
  }
}

async function openOrUpdate(
  { db, nowMs, logger }: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  found: readonly Finding[],
): Promise<void> {
  const { actor, partner } = found[0]!;
  const findings: CaseFinding[] = found.map(({ kind, pValue, strength, count }) => ({
    kind,
    pValue,
    strength,
    count,
  }));
  const pValue = Math.min(...found.map((finding) => finding.pValue));
  const isSame = and(
    eq(integrityCases.actor, actor as UserId),
    partner === undefined ? isNull(integrityCases.partner) : eq(integrityCases.partner, partner as UserId),
  );
  await db.transaction(async (tx) => {
    const updated = await tx
      .update(integrityCases)
      .set({ findings, pValue })
      .where(and(isSame, eq(integrityCases.state, 'open')))
      .returning({ id: integrityCases.id });
    if (updated.length > 0) return;
    // What was acted on stays decided; what was dismissed has no evidence left but what came later.
    const acted = await tx
      .select({ id: integrityCases.id })
      .from(integrityCases)
      .where(and(isSame, eq(integrityCases.state, 'acted')));
    if (acted.length > 0) return;
    const id = randomUUID();
    const opened = await tx
      .insert(integrityCases)
      .values({
        id,
        actor: actor as UserId,
        partner: (partner as UserId | undefined) ?? null,
        state: 'open',
        findings,
        pValue,
        openedAt: new Date(nowMs()),
      })
      .onConflictDoNothing()
      .returning({ id: integrityCases.id });
    if (opened.length > 0)
      logger.info({ caseId: id, kinds: findings.map(({ kind }) => kind) }, 'a case was opened');
  });
}

export type ListedCase = { readonly row: CaseRow; readonly reports: number };

/** Those with the most reporters whom nobody has answered first, then the least probable. Reports raise nothing but this. */
export async function listCases(db: Database, state: CaseRow['state']): Promise<ListedCase[]> {
  const reporters = sql<number>`(select count(distinct ${integrityReports.reporter})::int from ${integrityReports} where ${integrityReports.reported} = ${integrityCases.actor} and ${integrityReports.outcome} is null)`;
  const rows = await db
    .select({ row: integrityCases, reports: reporters })
    .from(integrityCases)
    .where(eq(integrityCases.state, state))
    .orderBy(desc(reporters), asc(integrityCases.pValue))
    .limit(200);
  return rows;
}

export async function findCase(db: Database, id: string): Promise<CaseRow | undefined> {
  const [row] = await db.select().from(integrityCases).where(eq(integrityCases.id, id));
  return row;
}

/** The evidence that a case rests on, the newest first. */
export async function evidenceOf(db: Database, { actor, partner }: CaseRow) {
  return db
    .select()
    .from(integrityEvidence)
    .where(and(eq(integrityEvidence.actor, actor), eq(integrityEvidence.partner, partner ?? actor)))
    .orderBy(desc(integrityEvidence.readAt))
    .limit(100);
}

/** Decides an open case, or decides it anew after an appeal. The evidence of a dismissed case counts no more. */
export async function decideCase(
  tx: Database,
  { id, actor, partner, state }: CaseRow,
  decision: {
    readonly state: 'acted' | 'dismissed';
    readonly done: readonly string[];
    readonly reason: string;
  },
  nowMs: number,
): Promise<void> {
  const decidedAt = new Date(nowMs);
  const changed = await tx
    .update(integrityCases)
    .set({ state: decision.state, decidedAt, decision: decision.done, reason: decision.reason })
    .where(and(eq(integrityCases.id, id), eq(integrityCases.state, state)))
    .returning({ id: integrityCases.id });
  if (changed.length === 0) throw new Error(`The case ${id} is no longer ${state}`);
  if (decision.state === 'dismissed') {
    await tx
      .update(integrityEvidence)
      .set({ isSettled: true })
      .where(and(eq(integrityEvidence.actor, actor), eq(integrityEvidence.partner, partner ?? actor)));
  }
  await answerReports(tx, actor, decision.state, decidedAt);
}

export async function noteAppeal(tx: Database, { id }: CaseRow, nowMs: number): Promise<void> {
  await tx
    .update(integrityCases)
    .set({ state: 'open', appealedAt: new Date(nowMs) })
    .where(eq(integrityCases.id, id));
}

/** Evidence that is too old to count. */
export async function forgetEvidence({ db }: Pick<Context, 'db'>, before: Date): Promise<void> {
  await db.delete(integrityEvidence).where(sql`${integrityEvidence.readAt} < ${before}`);
}
