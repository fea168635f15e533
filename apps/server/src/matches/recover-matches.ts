import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { MatchId } from '@engulf/domain/ids/entity-ids';
import { toHex } from '@engulf/sim/keys';
import {
  FIRST_CHAIN,
  MAX_BODY_BYTES,
  type RecordingEnd,
  readEnd,
  readFrame,
  writeEnd,
  writeFrame,
} from '@engulf/sim/recording/frames';
import { readSegment } from '@engulf/sim/recording/segment';
import { and, eq, exists, isNull, not, notInArray } from 'drizzle-orm';
import { spillOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import type { Context } from '../platform/context.ts';
import { entries, matches } from '../platform/database/games.ts';
import { livingProcesses } from '../platform/game-processes.ts';
import { endMatch } from './match-states.ts';
import { partKey, RECORDING_TYPE } from './recordings.ts';

/** Matches whose process is gone and whose players have all been settled. */
export async function orphanedMatches(context: Context): Promise<MatchId[]> {
  const { db } = context;
  const living = await livingProcesses(context);
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
  let { chain, partCount, bytes } = found;
  if (partCount > 0 && !found.end) {
    const body = writeEnd({ finalTick: found.tick, isCut: true });
    const frame = { kind: 'end', packing: 'plain', bodyLength: body.length, packed: body } as const;
    const written = writeFrame(frame, chain);
    await storage.put(partKey(id, partCount), written.bytes, RECORDING_TYPE);
    chain = written.chain;
    partCount++;
    bytes += written.bytes.length;
  }
  await endMatch(context, id, {
    isCut: found.end?.isCut ?? true,
    finalTick: found.end?.finalTick ?? found.tick,
    finalHash: partCount > 0 ? toHex(chain) : null,
    spillAfter: await readBalance(db, spillOf(match.lobbyId)),
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

type FoundParts = {
  readonly chain: Uint8Array;
  readonly partCount: number;
  readonly bytes: number;
  /** Where the last segment ends. */
  readonly tick: number;
  readonly end: RecordingEnd | undefined;
};

async function readParts({ storage }: Context, id: MatchId): Promise<FoundParts> {
  let found: FoundParts = { chain: FIRST_CHAIN, partCount: 0, bytes: 0, tick: 0, end: undefined };
  for (;;) {
    const bytes = await storage.get(partKey(id, found.partCount));
    if (!bytes) return found;
    const read = readFrame(bytes, 0, found.chain);
    if (!read.ok) throw new Error(`Part ${found.partCount} of a recording is damaged: ${read.error.problem}`);
    const { kind, packing, packed, chain } = read.value.frame;
    const body = packing === 'plain' ? packed : await inflate(packed, { maxOutputLength: MAX_BODY_BYTES });
    const segment = kind === 'segment' ? readSegment(body) : undefined;
    const end = kind === 'end' ? readEnd(body) : undefined;
    found = {
      chain: chain.slice(),
      partCount: found.partCount + 1,
      bytes: found.bytes + bytes.length,
      tick: segment?.ok ? segment.value.startTick + segment.value.tickCount : found.tick,
      end: end?.ok ? end.value : undefined,
    };
  }
}

const inflate = promisify(inflateRaw);
