import type { LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import { and, asc, eq, isNotNull, isNull, ne, not, notInArray, or } from 'drizzle-orm';
import { spillOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import type { Context } from '../platform/context.ts';
import {
  gameProcesses,
  type MatchRow,
  matches,
  matchMoves,
  matchSecrets,
} from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { addAnchor, latestCommitment, readCommit } from './anchors.ts';
import { forgetEpochs, secretToPublish } from './epochs.ts';

/*
 * The life of a match: committed, then bound to a block, started, ended. One for money is committed and bound while the one
 * before it runs, and waits as a spare, which the next process takes if its own is gone. The secret is readable here until the match has
 * ended; what was played with it is public from then on (epochs.ts). Nothing else writes these tables.
 */

export type Commitment = {
  readonly id: MatchId;
  readonly lobbyId: LobbyId;
  readonly commitment: string;
  readonly secret: string;
  readonly rules: string;
  /** Where money is at stake: who signs its receipts, and what the chain shows of it. */
  readonly oath?: Oath | undefined;
};

export type Oath = {
  readonly receiptKey: string;
  readonly receiptSeed: string;
  /** What is written to the chain. Undefined if nothing is. */
  readonly anchored?: {
    /** Of lobby, rules and receipt key. */
    readonly terms: string;
    /** What the lobby's first match names as the one before it. */
    readonly first: string;
  };
};

/** Makes the commitment public. The caller holds the lobby's lease. */
export async function commitMatch(
  { db, nowMs, processId }: Pick<Context, 'db' | 'processId' | 'nowMs'>,
  { secret, oath, ...match }: Commitment,
): Promise<MatchRow> {
  const { id, commitment, lobbyId } = match;
  return db.transaction(async (tx) => {
    const committedAt = new Date(nowMs());
    const { anchored } = oath ?? {};
    const previous = anchored ? ((await latestCommitment(tx, lobbyId)) ?? anchored.first) : null;
    const row = { ...match, receiptKey: oath?.receiptKey ?? null, previousCommitment: previous };
    const [made] = await tx
      .insert(matches)
      .values({ ...row, heldBy: processId, committedAt })
      .returning();
    await tx.insert(matchSecrets).values({ matchId: id, secret, receiptSeed: oath?.receiptSeed ?? null });
    if (anchored && previous !== null) {
      const memo = { commitment, terms: anchored.terms, previous };
      await addAnchor(tx, id, { kind: 'commit', ...memo }, committedAt);
    }
    return made!;
  });
}

/**
 * The spare of a lobby whose lease the caller holds, if it is to be played by the same rules. Others of the lobby will never
 * be played: they are left to be ended.
 */
export async function takeSpare(
  { db, processId }: Pick<Context, 'db' | 'processId'>,
  lobbyId: LobbyId,
  rules: string,
): Promise<MatchRow | undefined> {
  return db.transaction(async (tx) => {
    const spares = await tx
      .select()
      .from(matches)
      .where(and(eq(matches.lobbyId, lobbyId), isSpare, ne(matches.heldBy, '')))
      .orderBy(asc(matches.committedAt))
      .for('update');
    const taken = spares.find((spare) => spare.rules === rules);
    for (const { id } of spares) {
      const heldBy = id === taken?.id ? processId : '';
      await tx.update(matches).set({ heldBy }).where(eq(matches.id, id));
    }
    return taken;
  });
}

/** It will never be played: it is left to be ended. */
export async function retireMatch({ db }: Pick<Context, 'db'>, id: MatchId): Promise<void> {
  await db
    .update(matches)
    .set({ heldBy: '' })
    .where(and(eq(matches.id, id), isNull(matches.startedAt)));
}

/** Committed for money, but not started. */
export const isSpare = and(
  isNull(matches.startedAt),
  isNull(matches.endedAt),
  isNotNull(matches.receiptKey),
)!;

/** What earlier matches left over, noted when the next one is wanted: they are over, although a recording may wait. */
export async function noteSpill(tx: Database, lobbyId: LobbyId): Promise<void> {
  const isOver = or(isNotNull(matches.startedAt), eq(matches.heldBy, ''));
  const isEarlier = and(eq(matches.lobbyId, lobbyId), isOver);
  const isUnended = and(isEarlier, isNull(matches.endedAt), isNull(matches.spillAfter));
  const spillAfter = await readBalance(tx, spillOf(lobbyId));
  await tx.update(matches).set({ spillAfter }).where(isUnended);
}

/** Names the slot whose block the match depends on. It must lie ahead, so that nobody knows the block yet. */
export async function nameTarget(
  { db }: Pick<Context, 'db'>,
  id: MatchId,
  targetSlot: bigint,
): Promise<void> {
  await db
    .update(matches)
    .set({ targetSlot })
    .where(and(eq(matches.id, id), isNull(matches.targetSlot)));
}

/** Its block is final. */
export async function bindMatch(
  { db }: Pick<Context, 'db'>,
  id: MatchId,
  block: { readonly slot: bigint; readonly blockhash: string },
): Promise<void> {
  const isUnbound = and(eq(matches.id, id), isNull(matches.publicSlot), isNull(matches.startedAt));
  await db.update(matches).set({ publicSlot: block.slot, blockhash: block.blockhash }).where(isUnbound);
}

/** The lobby's earlier matches are over by now. False if the match is no longer this process's to start. */
export async function startMatch(
  { db, nowMs, processId }: Pick<Context, 'db' | 'processId' | 'nowMs'>,
  { id, lobbyId }: Pick<MatchRow, 'id' | 'lobbyId'>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await noteSpill(tx, lobbyId);
    const isOurs = and(eq(matches.id, id), eq(matches.heldBy, processId));
    const started = await tx
      .update(matches)
      .set({ startedAt: new Date(nowMs()) })
      .where(and(isOurs, isNull(matches.startedAt), isNull(matches.endedAt)))
      .returning({ id: matches.id });
    return started.length > 0;
  });
}

/**
 * What is stored of the recording of a match for money, for the payouts that are made while it runs. False if it has ended
 * or is not this process's any more.
 */
export async function noteStored(
  { db, processId }: Pick<Context, 'db' | 'processId'>,
  id: MatchId,
  storedHash: string,
): Promise<boolean> {
  const isOurs = and(eq(matches.id, id), eq(matches.heldBy, processId));
  const isRunning = and(isOurs, isNotNull(matches.receiptKey), isNull(matches.endedAt));
  const noted = await db.update(matches).set({ storedHash }).where(isRunning).returning({ id: matches.id });
  return noted.length > 0;
}

/** Another process continues the match. False if it is not held by the one that gives it, or has ended. */
export async function moveMatch(
  tx: Database,
  id: MatchId,
  heldBy: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const isHeld = and(eq(matches.id, id), eq(matches.heldBy, heldBy.from), isNull(matches.endedAt));
  const moved = await tx
    .update(matches)
    .set({ heldBy: heldBy.to })
    .where(isHeld)
    .returning({ id: matches.id });
  return moved.length > 0;
}

/**
 * Takes a match from a process that is gone. If that one was only slow, it signs no more receipts from here on, so that every
 * part that it has signed for is there to be read.
 */
export async function takeFromDead({ db }: Pick<Context, 'db'>, { id, heldBy }: MatchRow): Promise<boolean> {
  return moveMatch(db, id, { from: heldBy, to: '' });
}

/**
 * Whether a match is a process's own, and nobody has declared that process dead. Nobody can before the transaction ends.
 * It need not have the lobby any more: the recording of its last match may wait for the storage.
 */
export async function holdsMatch(tx: Database, id: MatchId, heldBy: string): Promise<boolean> {
  const held = await tx
    .select({ id: matches.id })
    .from(matches)
    .innerJoin(gameProcesses, eq(gameProcesses.id, matches.heldBy))
    .where(and(eq(matches.id, id), eq(matches.heldBy, heldBy)))
    .for('key share', { of: gameProcesses });
  return held.length > 0;
}

/** Leaves those of a lobby that have not ended, as far as the process holds them, to be ended by others. */
export async function abandonMatches(
  tx: Database,
  lobbyId: LobbyId,
  { heldBy, except }: { readonly heldBy: string; readonly except: readonly MatchId[] },
): Promise<void> {
  const isHeld = and(eq(matches.lobbyId, lobbyId), eq(matches.heldBy, heldBy), isNull(matches.endedAt));
  await tx
    .update(matches)
    .set({ heldBy: '' })
    .where(and(isHeld, not(isSpare), notInArray(matches.id, [...except])));
}

/** The secrets of a match that has not ended. */
export async function readSecrets(
  tx: Database,
  id: MatchId,
): Promise<typeof matchSecrets.$inferSelect | undefined> {
  const [kept] = await tx.select().from(matchSecrets).where(eq(matchSecrets.matchId, id));
  return kept;
}

/** Its recording is somewhere else from now on. False if it is already there. */
export async function noteArchived(
  tx: Database,
  id: MatchId,
  to: NonNullable<MatchRow['archived']>,
): Promise<boolean> {
  const isBefore = to === 'copied' ? isNull(matches.archived) : eq(matches.archived, 'copied');
  const noted = await tx
    .update(matches)
    .set({ archived: to })
    .where(and(eq(matches.id, id), isNotNull(matches.endedAt), isBefore))
    .returning({ id: matches.id });
  return noted.length > 0;
}

export type MatchEnding = {
  readonly isCut: boolean;
  readonly finalTick: number;
  readonly finalHash: string | null;
  readonly spillAfter: bigint;
  readonly partCount: number;
  readonly recordingBytes: number;
};

/** Whether the match is still the caller's to end. True until the transaction ends. */
export type IsOurs = (tx: Database) => Promise<boolean>;

/** Ends a match, once, and publishes its secret. False if it is not the caller's to end. */
export async function endMatch(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  id: MatchId,
  ending: MatchEnding,
  isOurs: IsOurs = async () => true,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await isOurs(tx))) return false;
    const [kept] = await tx.delete(matchSecrets).where(eq(matchSecrets.matchId, id)).returning();
    if (!kept) return true;
    const [match] = await tx.select({ rules: matches.rules }).from(matches).where(eq(matches.id, id));
    const secret = secretToPublish(kept.secret, match!.rules, ending.finalTick);
    await forgetEpochs(tx, id);
    // Left by a process that died before it took the match over.
    await tx.delete(matchMoves).where(eq(matchMoves.matchId, id));
    const endedAt = new Date(nowMs());
    const [ended] = await tx
      .update(matches)
      .set({ ...ending, secret, endedAt })
      .where(eq(matches.id, id))
      .returning({ commitment: matches.commitment });
    if (await readCommit({ db: tx }, id)) {
      const { finalHash, spillAfter: spill } = ending;
      const memo = { commitment: ended!.commitment, finalHash: finalHash ?? undefined, spill };
      await addAnchor(tx, id, { kind: 'close', ...memo }, endedAt);
    }
    return true;
  });
}
