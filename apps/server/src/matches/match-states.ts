import type { LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import { and, eq, isNull, notInArray } from 'drizzle-orm';
import { spillOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import type { Context } from '../platform/context.ts';
import { gameProcesses, matches, matchMoves, matchSecrets } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';

/*
 * The life of a match: committed, then bound to a block, started, ended. A secret is readable here until the match has
 * ended, and public from then on. Nothing else writes these tables.
 */

export type Commitment = {
  readonly id: MatchId;
  readonly lobbyId: LobbyId;
  readonly commitment: string;
  readonly secret: string;
  readonly rules: string;
};

/** Makes the commitment public. The caller holds the lobby's lease, so the lobby's earlier matches are over. */
export async function commitMatch(
  { db, nowMs, processId }: Context,
  { secret, ...match }: Commitment,
): Promise<void> {
  await db.transaction(async (tx) => {
    await noteSpill(tx, match.lobbyId);
    await tx.insert(matches).values({ ...match, heldBy: processId, committedAt: new Date(nowMs()) });
    await tx.insert(matchSecrets).values({ matchId: match.id, secret });
  });
}

/** What earlier matches left over, noted before the next match shares it out. */
async function noteSpill(tx: Database, lobbyId: LobbyId): Promise<void> {
  const isUnended = and(eq(matches.lobbyId, lobbyId), isNull(matches.endedAt), isNull(matches.spillAfter));
  const spillAfter = await readBalance(tx, spillOf(lobbyId));
  await tx.update(matches).set({ spillAfter }).where(isUnended);
}

/** Names the slot whose block the match depends on. It must lie ahead, so that nobody knows the block yet. */
export async function nameTarget({ db }: Context, id: MatchId, targetSlot: bigint): Promise<void> {
  await db
    .update(matches)
    .set({ targetSlot })
    .where(and(eq(matches.id, id), isNull(matches.targetSlot)));
}

/** Null: the match starts without a block. */
export async function startMatch(
  { db, nowMs }: Context,
  id: MatchId,
  block: { readonly slot: bigint; readonly blockhash: string } | null,
): Promise<void> {
  await db
    .update(matches)
    .set({
      publicSlot: block?.slot ?? null,
      blockhash: block?.blockhash ?? null,
      startedAt: new Date(nowMs()),
    })
    .where(and(eq(matches.id, id), isNull(matches.startedAt), isNull(matches.endedAt)));
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
    .where(and(isHeld, notInArray(matches.id, [...except])));
}

/** The secret of a match that has not ended. */
export async function readSecret(tx: Database, id: MatchId): Promise<string | undefined> {
  const [kept] = await tx.select().from(matchSecrets).where(eq(matchSecrets.matchId, id));
  return kept?.secret;
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
    // Left by a process that died before it took the match over.
    await tx.delete(matchMoves).where(eq(matchMoves.matchId, id));
    await tx
      .update(matches)
      .set({ ...ending, secret: kept.secret, endedAt: new Date(nowMs()) })
      .where(eq(matches.id, id));
    return true;
  });
}
