import { randomUUID } from 'node:crypto';
import { toHex } from '@engulf/sim/keys';
import { and, asc, count, eq, exists, isNull, lt, ne, not, or, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { entries, type MatchRow, matchAnchors, matches, payments } from '../platform/database/games.ts';
import { payouts } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { noteArchived } from './match-states.ts';
import { partKey, RECORDING_TYPE, readParts } from './recording-parts.ts';

/*
 * Recordings of old matches are moved to the archive, from where they are read like any other. Each is copied, read again there
 * and compared with the hash that the match ended with; then the match says that it is archived, and only then the parts in the
 * storage are removed. Whoever is killed on the way repeats what is not done. Nothing is ever removed from the archive.
 */

export type Archiving = Pick<Context, 'db' | 'storage' | 'logger'> & { readonly archive: Storage };

export type ArchivableMatch = Pick<
  MatchRow,
  'id' | 'endedAt' | 'finalHash' | 'partCount' | 'recordingBytes' | 'archived'
>;

/** One whose recording is not in the archive, or is still in the storage as well. */
const isLeft = sql`${matches.partCount} > 0 and ${matches.finalHash} is not null
  and ${matches.archived} is distinct from 'moved'`;

/** Whether anything about the match can still change: a result, a payment, a payout, or what is written to the chain. */
function isOpen(db: Database) {
  const isOfMatch = eq(entries.matchId, matches.id);
  const one = { one: sql`1` };
  const isPaidNow = ne(payouts.status, 'completed');
  const isOfEntry = eq(payments.entryId, entries.id);
  const unsettled = db
    .select(one)
    .from(entries)
    .where(and(isOfMatch, ne(entries.state, 'ended')));
  const unpaid = db
    .select(one)
    .from(entries)
    .innerJoin(payouts, eq(payouts.entryId, entries.id))
    .where(and(isOfMatch, isPaidNow));
  const undecided = db
    .select(one)
    .from(entries)
    .innerJoin(payments, isOfEntry)
    .where(and(isOfMatch, eq(payments.status, 'verifying')));
  const unrefunded = db
    .select(one)
    .from(entries)
    .innerJoin(payments, isOfEntry)
    .innerJoin(payouts, eq(payouts.paymentId, payments.id))
    .where(and(isOfMatch, isPaidNow));
  const unanchored = db
    .select(one)
    .from(matchAnchors)
    .where(
      and(eq(matchAnchors.matchId, matches.id), isNull(matchAnchors.slot), eq(matchAnchors.isLost, false)),
    );
  return or(exists(unsettled), exists(unpaid), exists(undecided), exists(unrefunded), exists(unanchored))!;
}

/** What can go to the archive, and how many matches of that age cannot yet. */
export async function sumArchivable(db: Database, before: Date) {
  const isOld = and(lt(matches.endedAt, before), isLeft);
  const sums = {
    matches: count(),
    parts: sql<number>`coalesce(sum(${matches.partCount}), 0)`.mapWith(Number),
    bytes: sql<number>`coalesce(sum(${matches.recordingBytes}), 0)`.mapWith(Number),
  };
  const [found] = await db
    .select(sums)
    .from(matches)
    .where(and(isOld, not(isOpen(db))));
  const [waiting] = await db
    .select({ count: count() })
    .from(matches)
    .where(and(isOld, isOpen(db)));
  return { ...found!, waiting: waiting!.count };
}

const STEP_ROWS = 100;

/** The matches that can go to the archive, oldest first. */
export async function* listArchivable(db: Database, before: Date): AsyncGenerator<ArchivableMatch> {
  let last: ArchivableMatch | undefined;
  for (;;) {
    const isNext =
      last &&
      sql`(${matches.endedAt}, ${matches.id}) > (${last.endedAt!.toISOString()}::timestamptz, ${last.id}::uuid)`;
    const rows: ArchivableMatch[] = await db
      .select({
        id: matches.id,
        endedAt: matches.endedAt,
        finalHash: matches.finalHash,
        partCount: matches.partCount,
        recordingBytes: matches.recordingBytes,
        archived: matches.archived,
      })
      .from(matches)
      .where(and(lt(matches.endedAt, before), isLeft, isNext, not(isOpen(db))))
      .orderBy(asc(matches.endedAt), asc(matches.id))
      .limit(STEP_ROWS);
    yield* rows;
    if (rows.length < STEP_ROWS) return;
    last = rows.at(-1);
  }
}

/**
 * Moves a recording to the archive, in the transaction of `note` as far as the database is concerned. Says why it stays where it
 * is, if it does. Safe to repeat.
 */
export async function archiveRecording(
  context: Archiving,
  match: ArchivableMatch,
  note: (tx: Database) => Promise<void>,
): Promise<string | undefined> {
  const { db, storage } = context;
  const { id, partCount } = match;
  if (match.archived === null) {
    const problem = (await copyParts(context, match)) ?? (await problemOfCopy(context, match));
    if (problem !== undefined) return problem;
    await db.transaction(async (tx) => {
      if (await noteArchived(tx, id, 'copied')) await note(tx);
    });
  }
  for (let index = 0; index < partCount!; index++) await storage.remove(partKey(id, index));
  await noteArchived(db, id, 'moved');
  return undefined;
}

async function copyParts(
  { storage, archive }: Archiving,
  { id, partCount }: ArchivableMatch,
): Promise<string | undefined> {
  for (let index = 0; index < partCount!; index++) {
    const key = partKey(id, index);
    const part = await storage.get(key);
    if (!part) return `part ${index} is missing in the storage`;
    if (!(await archive.putNew(key, part, RECORDING_TYPE))) return `the archive has another part ${index}`;
  }
  return undefined;
}

/** What is in the archive, read again: every part continues the one before it, up to the hash that the match ended with. */
async function problemOfCopy(
  { archive, logger }: Archiving,
  { id, finalHash, partCount, recordingBytes }: ArchivableMatch,
): Promise<string | undefined> {
  const { link, ...found } = await readParts({ storage: archive, logger }, id);
  const isWhole =
    found.end !== undefined &&
    found.partCount === partCount &&
    found.bytes === recordingBytes &&
    toHex(link.chain) === finalHash;
  return isWhole ? undefined : 'its parts do not add up to the hash that it ended with';
}

/** Whether both are the same place under two names: what is removed from one would be gone from the other. */
export async function isSamePlace({ storage, archive }: Archiving): Promise<boolean> {
  const key = `archive-check/${randomUUID()}`;
  await archive.put(key, new Uint8Array(1), 'application/octet-stream');
  try {
    return (await storage.get(key)) !== undefined;
  } finally {
    await archive.remove(key);
  }
}
