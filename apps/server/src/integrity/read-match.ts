import { Worker } from 'node:worker_threads';
import type { MatchId } from '@engulf/domain/ids/entity-ids';
import { and, asc, eq, exists, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { publishedUntil, readPublished } from '../matches/epochs.ts';
import { findRecording, MissingPart, readRecording } from '../matches/read-matches.ts';
import type { Context } from '../platform/context.ts';
import { entries, lobbies, matchEpochs, matches } from '../platform/database/games.ts';
import { integrityReadings } from '../platform/database/integrity.ts';
import type { ReadingRequest, ReadPart } from './reading-thread.ts';
import { endReading, type ReadingStep, storeReading } from './store-reading.ts';

/*
 * Recordings of paid matches are read part by part: those of a match that runs as they become public, and the rest when it has
 * ended. What a part says is stored together with where the next one begins, so a kill at any point loses and repeats
 * nothing but the part that was being read.
 */

/** About ten minutes, so that memory does not grow with the match. */
const READ_SEGMENTS = 120;
/** A recording of ten minutes of a full arena is far smaller. */
const MAX_BYTES = 256 * 1024 * 1024;
/** For the world, what is kept of ten minutes, and what was read. */
const MAX_HEAP_MB = 1_024;

/** The match to read on: the oldest that has ended, or one that runs. One at a time is quick enough, and cheap. */
export async function unreadMatches(context: Pick<Context, 'db' | 'nowMs'>): Promise<MatchId[]> {
  const { db } = context;
  const hasPublished = db
    .select({ one: sql`1` })
    .from(matchEpochs)
    .where(
      and(
        eq(matchEpochs.matchId, matches.id),
        lte(matchEpochs.endedAt, publishedUntil(context)),
        gt(matchEpochs.partCount, sql`coalesce(${integrityReadings.nextPart}, 0)`),
      ),
    );
  const rows = await db
    .select({ id: matches.id })
    .from(matches)
    .innerJoin(lobbies, eq(lobbies.id, matches.lobbyId))
    .leftJoin(integrityReadings, eq(integrityReadings.matchId, matches.id))
    .where(
      and(
        isNotNull(lobbies.chainLobbyId),
        or(isNull(integrityReadings.matchId), isNotNull(integrityReadings.nextPart)),
        or(
          and(isNotNull(matches.endedAt), isNotNull(matches.secret), gt(matches.partCount, 0)),
          and(isNull(matches.endedAt), exists(hasPublished)),
        ),
      ),
    )
    .orderBy(asc(matches.endedAt), asc(matches.committedAt))
    .limit(1);
  return rows.map(({ id }) => id);
}

/** Reads the next part of a recording and stores what it says. */
export async function readMatch(
  context: Pick<Context, 'db' | 'storage' | 'archive' | 'logger' | 'nowMs'>,
  id: MatchId,
): Promise<void> {
  const [reading] = await context.db
    .select()
    .from(integrityReadings)
    .where(eq(integrityReadings.matchId, id));
  if (reading?.nextPart === null) return;
  const step = await nextStep(context, id, reading?.nextPart ?? 0);
  if (!step) return;
  if (step === 'nothing left') {
    await endReading(context, id);
    return;
  }
  const result = await readApart(context, step, reading?.carry ?? null).catch(problemOf);
  if (!result.ok) {
    context.logger.error(
      { code: 'INTEGRITY_UNREADABLE', matchId: id, part: step.firstPart, problem: result.problem },
      'a recording cannot be looked at',
    );
  }
  await storeReading(context, step, result);
}

async function nextStep(
  context: Pick<Context, 'db' | 'nowMs'>,
  matchId: MatchId,
  firstPart: number,
): Promise<ReadingStep | 'nothing left' | undefined> {
  const found = await findRecording(context, matchId);
  if (!found?.readable) return undefined;
  const { match, readable } = found;
  const secret = match.endedAt ? match.secret : (await readPublished(context, matchId))?.secret;
  const left = readable.partCount - firstPart;
  // Cut by a kill at the end of an epoch, after that was read.
  if (match.endedAt && left <= 0) return 'nothing left';
  if (!secret || left <= 0) return undefined;
  // A short rest would be too short to say anything, so it goes with what comes before.
  const size = READ_SEGMENTS + (firstPart === 0 ? 1 : 0);
  const nextPart = left < size + READ_SEGMENTS / 2 ? readable.partCount : firstPart + size;
  const isLast = match.endedAt !== null && nextPart === readable.partCount;
  return { matchId, secret, firstPart, nextPart, isLast };
}

async function readApart(
  context: Pick<Context, 'db' | 'storage' | 'archive'>,
  step: ReadingStep,
  carry: string | null,
): Promise<ReadPart> {
  const { matchId: id, firstPart, nextPart: partCount, secret, isLast } = step;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Everything is read under the rules of the header, the first part.
  const wanted = [...(firstPart > 0 ? [{ from: 0, partCount: 1 }] : []), { from: firstPart, partCount }];
  for (const range of wanted) {
    for await (const part of readRecording(context, { id, ...range })) {
      parts.push(part);
      bytes += part.length;
      if (bytes > MAX_BYTES) return { ok: false, problem: 'too large to be looked at' };
    }
  }
  const played = await context.db
    .select({ entryId: entries.id, userId: entries.userId })
    .from(entries)
    .where(eq(entries.matchId, id));
  return inThread({
    recording: new Uint8Array(Buffer.concat(parts)),
    isRunning: !isLast,
    secret: new Uint8Array(Buffer.from(secret, 'hex')),
    accounts: new Map(played.map(({ entryId, userId }) => [entryId, userId])),
    carry,
  });
}

/** It will not come back, and nobody behind it would be looked at. A storage that is away is asked again. */
function problemOf(error: unknown): ReadPart {
  if (error instanceof MissingPart) return { ok: false, problem: error.message };
  throw error;
}

function inThread(request: ReadingRequest): Promise<ReadPart> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadPart>();
  const thread = new Worker(new URL('./reading-thread.ts', import.meta.url), {
    workerData: request,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // A server that stops does not wait for it: the part is read again.
  thread.unref();
  thread.once('message', resolve);
  // It would fail again and again, and nobody behind it would be looked at.
  thread.once('error', (error) => resolve({ ok: false, problem: `the reader fails: ${error.message}` }));
  thread.once('exit', (code) => reject(new Error(`The thread that reads recordings ended with ${code}`)));
  return promise;
}
