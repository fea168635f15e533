import type { MatchId } from '@engulf/domain/ids/entity-ids';
import { toHex } from '@engulf/sim/keys';
import { firstLink, writeEnd, writeFrame } from '@engulf/sim/recording/frames';
import { readRulesText, writeHeader } from '@engulf/sim/recording/header';
import type { Blockhash } from '@solana/kit';
import { and, desc, eq, exists, isNull, lt, not, notInArray, or } from 'drizzle-orm';
import { spillOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import type { Context } from '../platform/context.ts';
import { entries, gameProcesses, type MatchRow, matches } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { publicPartOf, readBond } from './match-origin.ts';
import { endMatch, isSpare, takeFromDead } from './match-states.ts';
import { partKey, RECORDING_TYPE, readParts } from './recording-parts.ts';

/** Matches whose process is gone and whose players have all been settled. */
export async function orphanedMatches(context: Pick<Context, 'db'>): Promise<MatchId[]> {
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
    .where(
      and(
        isNull(matches.endedAt),
        notInArray(matches.heldBy, living),
        not(isPlayed),
        // The next process that opens the lobby takes its spare.
        or(not(isSpare), eq(matches.heldBy, '')),
      ),
    );
  return rows.map(({ id }) => id);
}

/** Closes the recording of a killed process where it stops, and publishes the secret. Safe to repeat. */
export async function recoverMatch(
  context: Pick<Context, 'db' | 'storage' | 'logger' | 'release' | 'nowMs'>,
  id: MatchId,
): Promise<void> {
  const { db, logger, storage } = context;
  const [match] = await db.select().from(matches).where(eq(matches.id, id));
  if (!match || match.endedAt || !(await takeFromDead(context, match))) return;
  let found = await readParts(context, id);
  if (found.partCount === 0 && !found.isDamaged && (await isEntered(context, id))) {
    await storage.putNew(partKey(id, 0), await writeBeginning(context, match), RECORDING_TYPE);
    found = await readParts(context, id);
  }
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
  await endMatch(
    context,
    id,
    {
      isCut: found.end?.isCut ?? true,
      finalTick: found.end?.finalTick ?? found.tick,
      finalHash: partCount > 0 ? toHex(link.chain) : null,
      spillAfter: match.spillAfter ?? (await readBalance(db, spillOf(match.lobbyId))),
      partCount,
      recordingBytes: bytes,
    },
    (tx) => isNobodys(tx, id),
  );
  logger.warn({ code: 'MATCH_RECOVERED', matchId: id }, 'closed: the process of this match is gone');
}

/** Whether nobody has taken it meanwhile. True until the transaction ends. */
async function isNobodys(tx: Database, id: MatchId): Promise<boolean> {
  const isIt = and(eq(matches.id, id), eq(matches.heldBy, ''));
  return (await tx.select({ id: matches.id }).from(matches).where(isIt).for('update')).length > 0;
}

/** Whether it has entries. All of them were refunded if nothing of it was recorded. */
async function isEntered({ db }: Pick<Context, 'db'>, id: MatchId): Promise<boolean> {
  const [entry] = await db.select({ id: entries.id }).from(entries).where(eq(entries.matchId, id)).limit(1);
  return entry !== undefined;
}

/** The process was killed within seconds of the first entry, before it wrote the beginning of the recording. */
async function writeBeginning(
  context: Pick<Context, 'db' | 'release'>,
  match: MatchRow,
): Promise<Uint8Array> {
  const [before] = await context.db
    .select({ spillAfter: matches.spillAfter })
    .from(matches)
    .where(and(eq(matches.lobbyId, match.lobbyId), lt(matches.committedAt, match.committedAt)))
    .orderBy(desc(matches.committedAt))
    .limit(1);
  const read = readRulesText(match.rules);
  if (!read) throw new Error(`The rules of ${match.id} are not those of an arena`);
  const { publicSlot: slot, blockhash } = match;
  const header = {
    matchId: match.id,
    commitment: Buffer.from(match.commitment, 'hex'),
    publicPart:
      slot === null || blockhash === null ? null : publicPartOf({ slot, blockhash: blockhash as Blockhash }),
    spill: before?.spillAfter ?? 0n,
    rules: read.rules,
    bond: await readBond(context, match),
  };
  // An older release may have begun it.
  const body = writeHeader(header, match.rules, read.version);
  const frame = { kind: 'header', packing: 'plain', bodyLength: body.length, packed: body } as const;
  return writeFrame(frame, firstLink(read.version)).bytes;
}

/** At the start, after the entries. A match that fails is left to the worker. */
export async function recoverMatches(
  context: Pick<Context, 'db' | 'storage' | 'logger' | 'release' | 'nowMs'>,
): Promise<void> {
  for (const id of await orphanedMatches(context)) {
    await recoverMatch(context, id).catch((error: unknown) =>
      context.logger.error(
        { code: 'WORK_FAILED', err: error, matchId: id },
        'a match could not be recovered',
      ),
    );
  }
}
