import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { type AnchorMemo, writeAnchorMemo } from '@engulf/chain/anchors/anchor-memo';
import { buildAnchorMessage } from '@engulf/chain/anchors/anchor-message';
import { agreedOf, answersOf } from '@engulf/chain/node/agreement';
import { lookUpFate, type TransactionFate } from '@engulf/chain/node/await-finality';
import { isAlreadyProcessed } from '@engulf/chain/node/node-errors';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import type { LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import type { Base64EncodedWireTransaction, Signature } from '@solana/kit';
import { and, asc, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import { sendThroughNodes } from '../platform/chain/send-through-nodes.ts';
import type { Context } from '../platform/context.ts';
import { lobbies, matchAnchors, matches } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';

/*
 * What matches write to the chain. A row is stored with the state of the match that it belongs to; a worker signs it, stores
 * that, sends it and looks until it is final. A commit is signed once: if it expires, its match is given up, so that no
 * commitment can be on the chain twice with two slots to choose from. What is written after the end may be repeated.
 */

type AnchorRow = typeof matchAnchors.$inferSelect;

/** How long the nodes may refuse a commit, for want of funds, before its match begins without it. */
const REFUSED_FOR_MS = 20_000;

export async function addAnchor(
  tx: Database,
  matchId: MatchId,
  memo: AnchorMemo,
  createdAt: Date,
): Promise<void> {
  const row = { matchId, kind: memo.kind, memo: writeAnchorMemo(memo), createdAt };
  await tx.insert(matchAnchors).values(row).onConflictDoNothing();
}

/** The transaction that published a commitment; undefined if there is none to come or to be had. */
export async function readCommit(
  { db }: Pick<Context, 'db'>,
  matchId: MatchId,
): Promise<AnchorRow | undefined> {
  const isIt = and(eq(matchAnchors.matchId, matchId), eq(matchAnchors.kind, 'commit'));
  return (await db.select().from(matchAnchors).where(isIt))[0];
}

/** The commitment of a lobby that got onto the chain last. */
export async function latestCommitment(tx: Database, lobbyId: LobbyId): Promise<string | null> {
  const [latest] = await tx
    .select({ commitment: matches.commitment })
    .from(matchAnchors)
    .innerJoin(matches, eq(matches.id, matchAnchors.matchId))
    .where(and(eq(matches.lobbyId, lobbyId), eq(matchAnchors.kind, 'commit'), isNotNull(matchAnchors.slot)))
    .orderBy(desc(matchAnchors.slot))
    .limit(1);
  return latest?.commitment ?? null;
}

/** Those that are not on the chain yet, as `match kind`. */
export async function openAnchors({ db, chain }: Pick<Context, 'db' | 'chain'>): Promise<string[]> {
  if (!chain.anchorKey) return [];
  const rows = await db
    .select({ matchId: matchAnchors.matchId, kind: matchAnchors.kind })
    .from(matchAnchors)
    .where(and(isNull(matchAnchors.slot), eq(matchAnchors.isLost, false)))
    .orderBy(asc(matchAnchors.createdAt));
  return rows.map(({ matchId, kind }) => `${matchId} ${kind}`);
}

/** Brings one of them a step further. Safe to repeat, and to run in two workers. */
export async function sendAnchor(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  key: string,
): Promise<void> {
  const { db, chain, logger, nowMs } = context;
  // Another process has the key.
  if (!chain.anchorKey) return;
  const [matchId, kind] = key.split(' ') as [MatchId, AnchorRow['kind']];
  const isIt = and(eq(matchAnchors.matchId, matchId), eq(matchAnchors.kind, kind));
  const [stored] = await db.select().from(matchAnchors).where(isIt);
  if (!stored || stored.slot !== null || stored.isLost) return;
  const row = stored.signature === null ? await sign(context, stored) : stored;
  if (!row) return;
  const { signature, wire } = row;
  const fate = await findFate(context, row);
  const isSame = and(isIt, eq(matchAnchors.signature, signature!));
  if (fate?.kind === 'finalized') {
    await db.update(matchAnchors).set({ slot: fate.slot }).where(isSame);
    return;
  }
  if (fate) {
    logger.warn(
      { code: 'ANCHOR_LOST', matchId, kind, fate: fate.kind },
      'a memo of a match did not get onto the chain',
    );
    const again = { signature: null, wire: null, lastValidBlockHeight: null };
    await db
      .update(matchAnchors)
      .set(kind === 'commit' ? { isLost: true } : again)
      .where(isSame);
    return;
  }
  try {
    await sendThroughNodes(context, wire as Base64EncodedWireTransaction);
  } catch (error) {
    if (isAlreadyProcessed(error)) return;
    logger.error({ code: 'ANCHOR_REFUSED', err: error, matchId, kind }, 'a node refuses a memo of a match');
    const waitedMs = nowMs() - row.createdAt.getTime();
    if (kind === 'commit' && waitedMs > REFUSED_FOR_MS) await loseIfUnseen(context, row, isSame);
  }
}

/** A match must not begin without its commitment because one node lies. */
async function findFate(
  { chain: { nodes } }: Pick<Context, 'chain'>,
  { signature, lastValidBlockHeight }: AnchorRow,
): Promise<TransactionFate | undefined> {
  const wanted = { signature: signature as Signature, lastValidBlockHeight: lastValidBlockHeight! };
  const fates = answersOf(await Promise.allSettled(nodes.map((rpc) => lookUpFate({ rpc, ...wanted }))));
  return agreedOf(nodes, fates, isAlike);
}

function isAlike(fate: TransactionFate, other: TransactionFate): boolean {
  if (fate.kind === 'finalized' && other.kind === 'finalized') return fate.slot === other.slot;
  return fate.kind === other.kind;
}

type Where = ReturnType<typeof and>;

/** A node may refuse what it has taken before. */
async function loseIfUnseen(
  { db, chain }: Pick<Context, 'db' | 'chain'>,
  { signature }: AnchorRow,
  isSame: Where,
): Promise<void> {
  const { value } = await chain.rpc.getSignatureStatuses([signature as Signature]).send();
  if (!value[0]) await db.update(matchAnchors).set({ isLost: true }).where(isSame);
}

/** Undefined if another worker was quicker: what it signed is sent, and this is not. */
async function sign(
  { db, chain }: Pick<Context, 'db' | 'chain'>,
  { matchId, kind, memo }: AnchorRow,
): Promise<AnchorRow | undefined> {
  const [lobby] = await db
    .select({ chainLobbyId: lobbies.chainLobbyId })
    .from(matches)
    .innerJoin(lobbies, eq(lobbies.id, matches.lobbyId))
    .where(eq(matches.id, matchId));
  const { value: lifetime } = await chain.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const lobbyConfig = await findLobbyConfig(chain.programId, lobby!.chainLobbyId!);
  const message = buildAnchorMessage({ signer: chain.anchorKey!, lobbyConfig, memo, lifetime });
  const signed = await signForSending(message);
  const isUnsigned = and(
    eq(matchAnchors.matchId, matchId),
    eq(matchAnchors.kind, kind),
    isNull(matchAnchors.signature),
  );
  return (await db.update(matchAnchors).set(signed).where(isUnsigned).returning())[0];
}
