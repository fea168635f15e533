import type { MatchId } from '@engulf/domain/ids/entity-ids';
import { toHex } from '@engulf/sim/keys';
import { writeEnd, writeFrame } from '@engulf/sim/recording/frames';
import { and, eq, exists, isNull, not, notInArray } from 'drizzle-orm';
import { spillOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import type { Context } from '../platform/context.ts';
import { entries, gameProcesses, matches } from '../platform/database/games.ts';
import { endMatch } from './match-states.ts';
import { partKey, RECORDING_TYPE, readParts } from './recording-parts.ts';

/** Matches whose process is gone and whose players have all been settled. */
export async function orphanedMatches(context: Context): Promise<MatchId[]> {
  const { db } = context;
  const living = db.select({ id: gameProcesses.id }).from(gameProcesses);
  const isPlayed = exists(
    db
      .select()
      .from(entries)
      .where(and(eq(entries.matchId, matches.id), eq(entries.state, 'playing'))),
  );
  const rows = await db
    .select({ id: matches.id })
    .from(matches)
    .where(and(isNull(matches.endedAt), notInArray(matches.heldBy, living), not(isPlayed)));
  return rows.map(({ id }) => id);
}

/** Closes the recording of a killed process where it stops, and publishes the secret. Safe to repeat. */
export async function recoverMatch(context: Context, id: MatchId): Promise<void> {
  const { db, logger, storage } = context;
  const [match] = await db.select().from(matches).where(eq(matches.id, id));
  if (!match || match.endedAt) return;
  const found = await readParts(context, id);
  let { link, partCount, bytes } = found;
  if (partCount > 0 && !found.end) {
    const body = writeEnd({ finalTick: found.tick, isCut: true });
    const frame = { kind: 'end', packing: 'plain', bodyLength: body.length, packed: body } as const;
    const written = writeFrame(frame, link);
    const key = partKey(id, partCount);
    if (found.isDamaged) await storage.remove(key);
    const isOurs = await storage.putNew(key, written.bytes, RECORDING_TYPE);
    // Its process was only slow and has written one more part. The next attempt closes after that one.
    if (!isOurs) throw new Error(`The recording of ${id} has grown`);
    link = written.link;
    partCount++;
    bytes += written.bytes.length;
  }
  await endMatch(context, id, {
    isCut: found.end?.isCut ?? true,
    finalTick: found.end?.finalTick ?? found.tick,
    finalHash: partCount > 0 ? toHex(link.chain) : null,
    spillAfter: match.spillAfter ?? (await readBalance(db, spillOf(match.lobbyId))),
    partCount,
    recordingBytes: bytes,
  });
  logger.warn({ code: 'MATCH_RECOVERED', matchId: id }, 'closed: the process of this match is gone');
}

/** At the start, after the entries. A match that fails is left to the worker. */
export async function recoverMatches(context: Context): Promise<void> {
  for (const id of await orphanedMatches(context)) {
    await recoverMatch(context, id).catch((error: unknown) =>
      context.logger.error(
        { code: 'WORK_FAILED', err: error, matchId: id },
        'a match could not be recovered',
      ),
    );
  }
}
