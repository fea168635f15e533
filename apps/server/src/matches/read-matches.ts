import type { LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import {
  ENTRIES_PER_PAGE,
  type MatchEntry,
  type MatchSummary,
  type PublicMatch,
} from '@engulf/protocol/http/matches';
import { and, asc, count, desc, eq, gt, notExists } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { isPaid, tokenOf } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { entries, lobbies, type MatchRow, matches, payments } from '../platform/database/games.ts';
import { payoutBatches, payouts } from '../platform/database/money.ts';
import { users } from '../platform/database/people.ts';
import { partKey } from './recording-parts.ts';

const PAGE_ROWS = 20;

const refunds = alias(payouts, 'refunds');

/** The newest first, of one lobby or of all. */
export async function listMatches({ db }: Context, lobbyId: LobbyId | undefined, page: number) {
  const isAsked = lobbyId === undefined ? undefined : eq(matches.lobbyId, lobbyId);
  const rows = await db
    .select()
    .from(matches)
    .where(isAsked)
    .orderBy(desc(matches.committedAt), desc(matches.id))
    .limit(PAGE_ROWS)
    .offset((page - 1) * PAGE_ROWS);
  const [total] = await db.select({ count: count() }).from(matches).where(isAsked);
  const lastPage = Math.max(1, Math.ceil(total!.count / PAGE_ROWS));
  return { status: 'success' as const, data: { data: rows.map(summaryOf), currentPage: page, lastPage } };
}

/** A match without its entries. */
export type MatchFacts = Omit<PublicMatch, 'entries' | 'entryCount'>;

export async function readMatch({ db }: Context, id: MatchId): Promise<MatchFacts | undefined> {
  const [row] = await db
    .select({ match: matches, lobby: lobbies })
    .from(matches)
    .innerJoin(lobbies, eq(lobbies.id, matches.lobbyId))
    .where(eq(matches.id, id));
  if (!row) return undefined;
  const { match, lobby } = row;
  return {
    ...summaryOf(match),
    isFree: !isPaid(lobby),
    lobbyName: lobby.name,
    chainLobbyId: lobby.chainLobbyId?.toString() ?? null,
    tokenSymbol: tokenOf(lobby).symbol,
    tokenDecimals: tokenOf(lobby).decimals,
    tokenMint: isPaid(lobby) ? lobby.tokenMint : null,
    rules: match.rules,
    spillAfter: match.spillAfter?.toString() ?? null,
  };
}

/** One page of the entries of a match. Only those of an ended match are public. */
export async function readEntries({ db }: Context, id: MatchId, page: number): Promise<MatchEntry[]> {
  // Limited before the other tables are joined.
  const shown = db
    .select()
    .from(entries)
    .where(eq(entries.matchId, id))
    .orderBy(asc(entries.startedAt), asc(entries.id))
    .limit(ENTRIES_PER_PAGE)
    .offset((page - 1) * ENTRIES_PER_PAGE)
    .as('shown');
  // A player who paid twice for an entry got one of the payments back.
  const isKept = notExists(db.select().from(refunds).where(eq(refunds.paymentId, payments.id)));
  const rows = await db
    .select({
      entry: {
        id: shown.id,
        userId: shown.userId,
        stake: shown.stake,
        outcome: shown.outcome,
        payoutAmount: shown.payoutAmount,
      },
      name: users.name,
      payment: payments,
      payout: payouts,
      signature: payoutBatches.signature,
    })
    .from(shown)
    .innerJoin(users, eq(users.id, shown.userId))
    .leftJoin(payments, and(eq(payments.entryId, shown.id), eq(payments.status, 'verified'), isKept))
    .leftJoin(payouts, eq(payouts.entryId, shown.id))
    .leftJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .orderBy(asc(shown.startedAt), asc(shown.id));
  return rows.map(({ entry, name, payment, payout, signature }) => ({
    id: entry.id,
    player: { id: entry.userId, name },
    payment: payment && { wallet: payment.wallet, signature: payment.signature },
    stake: entry.stake.toString(),
    outcome: entry.outcome,
    amount: entry.payoutAmount?.toString() ?? null,
    payout: payout && {
      wallet: payout.wallet,
      amount: payout.amount.toString(),
      status: payout.status,
      signature: payout.status === 'completed' ? signature : null,
    },
  }));
}

export async function countEntries({ db }: Context, id: MatchId): Promise<number> {
  const [all] = await db.select({ count: count() }).from(entries).where(eq(entries.matchId, id));
  return all!.count;
}

export async function findBestCashOut({ db }: Context, id: MatchId) {
  const [best] = await db
    .select({ name: users.name, amount: entries.payoutAmount })
    .from(entries)
    .innerJoin(users, eq(users.id, entries.userId))
    .where(and(eq(entries.matchId, id), eq(entries.outcome, 'cashout'), gt(entries.payoutAmount, 0n)))
    .orderBy(desc(entries.payoutAmount), asc(entries.startedAt), asc(entries.id))
    .limit(1);
  return best && { name: best.name, amount: best.amount! };
}

/** An ended match that has a recording. */
export async function findRecording(
  { db }: Context,
  id: MatchId,
): Promise<{ match: MatchRow; state: 'ended' | 'running' } | undefined> {
  const [match] = await db.select().from(matches).where(eq(matches.id, id));
  if (!match || match.partCount === 0) return undefined;
  return { match, state: match.endedAt ? 'ended' : 'running' };
}

/** The parts of a recording, one after the other, so that a long one does not fill the memory. */
export async function* readRecording({ storage }: Context, { id, partCount }: MatchRow) {
  for (let index = 0; index < partCount!; index++) {
    const part = await storage.get(partKey(id, index));
    if (!part) throw new Error(`Part ${index} of the recording ${id} is missing`);
    yield part;
  }
}

function summaryOf(match: MatchRow): MatchSummary {
  return {
    id: match.id,
    lobbyId: match.lobbyId,
    state: match.endedAt ? 'ended' : match.startedAt ? 'running' : 'preparing',
    committedAt: match.committedAt.toISOString(),
    startedAt: match.startedAt?.toISOString() ?? null,
    endedAt: match.endedAt?.toISOString() ?? null,
    commitment: match.commitment,
    targetSlot: match.targetSlot?.toString() ?? null,
    block:
      match.publicSlot === null ? null : { slot: match.publicSlot.toString(), blockhash: match.blockhash! },
    secret: match.secret,
    finalTick: match.finalTick,
    finalHash: match.finalHash,
    isCut: match.isCut,
    recordingBytes: match.recordingBytes,
  };
}
