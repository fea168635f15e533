import {
  type EntryId,
  type LobbyId,
  type MatchId,
  transactionSignature,
} from '@engulf/domain/ids/entity-ids';
import {
  ENTRIES_PER_PAGE,
  type MatchEntry,
  type MatchSummary,
  type PublicMatch,
} from '@engulf/protocol/http/matches';
import { and, asc, count, desc, eq, gt, inArray, isNotNull, lte, notExists } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { isPaid, tokenOf } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import {
  entries,
  lobbies,
  type MatchRow,
  matchAnchors,
  matches,
  payments,
} from '../platform/database/games.ts';
import { payoutBatches, payouts } from '../platform/database/money.ts';
import { users } from '../platform/database/people.ts';
import { publishedUntil, readPublished } from './epochs.ts';
import { partKey } from './recording-parts.ts';

const PAGE_ROWS = 20;

const isCommit = and(
  eq(matchAnchors.matchId, matches.id),
  eq(matchAnchors.kind, 'commit'),
  isNotNull(matchAnchors.slot),
);

const refunds = alias(payouts, 'refunds');

/** The newest first, of one lobby or of all. */
export async function listMatches({ db }: Pick<Context, 'db'>, lobbyId: LobbyId | undefined, page: number) {
  const isAsked = lobbyId === undefined ? undefined : eq(matches.lobbyId, lobbyId);
  const rows = await db
    .select({ match: matches, anchor: matchAnchors.signature })
    .from(matches)
    .leftJoin(matchAnchors, isCommit)
    .where(isAsked)
    .orderBy(desc(matches.committedAt), desc(matches.id))
    .limit(PAGE_ROWS)
    .offset((page - 1) * PAGE_ROWS);
  const [total] = await db.select({ count: count() }).from(matches).where(isAsked);
  const lastPage = Math.max(1, Math.ceil(total!.count / PAGE_ROWS));
  return {
    status: 'success' as const,
    data: { data: rows.map(({ match, anchor }) => summaryOf(match, anchor)), currentPage: page, lastPage },
  };
}

/** A match without its entries. */
export type MatchFacts = Omit<PublicMatch, 'entries' | 'entryCount'>;

export async function readMatch(
  context: Pick<Context, 'db' | 'nowMs'>,
  id: MatchId,
): Promise<MatchFacts | undefined> {
  const [row] = await context.db
    .select({ match: matches, lobby: lobbies, anchor: matchAnchors.signature })
    .from(matches)
    .leftJoin(matchAnchors, isCommit)
    .innerJoin(lobbies, eq(lobbies.id, matches.lobbyId))
    .where(eq(matches.id, id));
  if (!row) return undefined;
  const { match, lobby, anchor } = row;
  const published = match.endedAt ? undefined : await readPublished(context, id);
  return {
    ...summaryOf(match, anchor),
    isFree: !isPaid(lobby),
    lobbyName: lobby.name,
    chainLobbyId: lobby.chainLobbyId?.toString() ?? null,
    tokenSymbol: tokenOf(lobby).symbol,
    tokenDecimals: tokenOf(lobby).decimals,
    tokenMint: isPaid(lobby) ? lobby.tokenMint : null,
    rules: match.rules,
    spillAfter: match.spillAfter?.toString() ?? null,
    published: published
      ? {
          tick: published.tick,
          recordingBytes: published.bytes,
          hash: published.chain,
          secret: published.secret,
        }
      : null,
  };
}

/** Whose entries, and up to when they may be known. */
export type AskedEntries = { readonly id: MatchId; readonly until: Date | undefined };

/** What may be known of the entries of a match: all of an ended one, what is old of one that runs. */
export function entriesToShow(
  context: Pick<Context, 'nowMs'>,
  { id, state }: Pick<MatchFacts, 'id' | 'state'>,
): AskedEntries {
  return { id: id as MatchId, until: state === 'ended' ? undefined : publishedUntil(context) };
}

/** One page of the entries of a match. */
export async function readEntries(
  context: Pick<Context, 'db'>,
  asked: AskedEntries,
  page: number,
): Promise<MatchEntry[]> {
  const first = (page - 1) * ENTRIES_PER_PAGE;
  const rows = await entryIdsOf(context, asked).limit(ENTRIES_PER_PAGE).offset(first);
  return describeEntries(context, rows, asked);
}

/** All of them in the same order, page by page, sorted once: a match of a day has hundreds of pages. */
export async function* readAllEntries(
  context: Pick<Context, 'db'>,
  asked: AskedEntries,
): AsyncGenerator<MatchEntry[]> {
  const rows = await entryIdsOf(context, asked);
  for (let first = 0; first < rows.length; first += ENTRIES_PER_PAGE) {
    yield await describeEntries(context, rows.slice(first, first + ENTRIES_PER_PAGE), asked);
  }
}

function areAsked({ id, until }: AskedEntries) {
  return and(eq(entries.matchId, id), until && lte(entries.startedAt, until));
}

function entryIdsOf({ db }: Pick<Context, 'db'>, asked: AskedEntries) {
  return db
    .select({ id: entries.id })
    .from(entries)
    .where(areAsked(asked))
    .orderBy(asc(entries.startedAt), asc(entries.id));
}

async function describeEntries(
  { db }: Pick<Context, 'db'>,
  chosen: readonly { readonly id: EntryId }[],
  { until }: AskedEntries,
): Promise<MatchEntry[]> {
  if (chosen.length === 0) return [];
  // A player who paid twice for an entry got one of the payments back.
  const isKept = notExists(db.select().from(refunds).where(eq(refunds.paymentId, payments.id)));
  const rows = await db
    .select({
      entry: {
        id: entries.id,
        userId: entries.userId,
        stake: entries.stake,
        outcome: entries.outcome,
        payoutAmount: entries.payoutAmount,
        endedAt: entries.endedAt,
      },
      name: users.name,
      colour: users.colour,
      payment: payments,
      payout: payouts,
      signature: payoutBatches.signature,
    })
    .from(entries)
    .innerJoin(users, eq(users.id, entries.userId))
    .leftJoin(payments, and(eq(payments.entryId, entries.id), eq(payments.status, 'verified'), isKept))
    .leftJoin(payouts, eq(payouts.entryId, entries.id))
    .leftJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .where(
      inArray(
        entries.id,
        chosen.map(({ id }) => id),
      ),
    )
    .orderBy(asc(entries.startedAt), asc(entries.id));
  return rows.map(({ entry, name, colour, payment, payout, signature }) => {
    const isKnown = until === undefined || (entry.endedAt !== null && entry.endedAt <= until);
    return {
      id: entry.id,
      player: { id: entry.userId, name, ...(colour !== null && { colour }) },
      payment: payment && { wallet: payment.wallet, signature: payment.signature },
      stake: entry.stake.toString(),
      outcome: isKnown ? entry.outcome : null,
      amount: isKnown ? (entry.payoutAmount?.toString() ?? null) : null,
      payout:
        payout && isKnown
          ? {
              wallet: payout.wallet,
              amount: payout.amount.toString(),
              status: payout.status,
              signature: payout.status === 'completed' ? signature : null,
            }
          : null,
    };
  });
}

export async function countEntries({ db }: Pick<Context, 'db'>, asked: AskedEntries): Promise<number> {
  const [all] = await db.select({ count: count() }).from(entries).where(areAsked(asked));
  return all!.count;
}

export async function findBestCashOut({ db }: Pick<Context, 'db'>, id: MatchId) {
  const [best] = await db
    .select({ name: users.name, amount: entries.payoutAmount })
    .from(entries)
    .innerJoin(users, eq(users.id, entries.userId))
    .where(and(eq(entries.matchId, id), eq(entries.outcome, 'cashout'), gt(entries.payoutAmount, 0n)))
    .orderBy(desc(entries.payoutAmount), asc(entries.startedAt), asc(entries.id))
    .limit(1);
  return best && { name: best.name, amount: best.amount! };
}

/** What may be read of a recording. */
export type ReadableRecording = {
  readonly id: MatchId;
  readonly partCount: number;
  readonly bytes: number;
  /** Of the last part. */
  readonly hash: string;
  readonly isArchived?: boolean;
};

/** Undefined if there is no such match, or nobody has played it. Nothing is readable of one that has just begun. */
export async function findRecording(
  context: Pick<Context, 'db' | 'nowMs'>,
  id: MatchId,
): Promise<{ match: MatchRow; readable: ReadableRecording | undefined } | undefined> {
  const [match] = await context.db.select().from(matches).where(eq(matches.id, id));
  if (!match || match.partCount === 0) return undefined;
  const { endedAt, partCount, recordingBytes: bytes, finalHash: hash } = match;
  if (endedAt) {
    const isArchived = match.archived !== null;
    return { match, readable: { id, partCount: partCount!, bytes: bytes!, hash: hash!, isArchived } };
  }
  const published = await readPublished(context, id);
  if (!published) return { match, readable: undefined };
  const { chain, ...known } = published;
  return { match, readable: { id, partCount: known.partCount, bytes: known.bytes, hash: chain } };
}

type ReadableParts = Pick<ReadableRecording, 'id' | 'partCount' | 'isArchived'> & { readonly from?: number };

/** The storage has answered, and does not have it. */
export class MissingPart extends Error {}

/** The parts of a recording, one after the other, so that a long one does not fill the memory; from one of them on. */
export async function* readRecording(
  { storage, archive }: Pick<Context, 'storage' | 'archive'>,
  { id, partCount, isArchived, from = 0 }: ReadableParts,
) {
  // It may be archived while it is read: then it is in both places for a while, and in the archive from then on.
  const places = isArchived ? [archive, storage] : [storage, archive];
  for (let index = from; index < partCount; index++) {
    const key = partKey(id, index);
    const part = (await places[0]?.get(key)) ?? (await places[1]?.get(key));
    if (!part) throw new MissingPart(`Part ${index} of the recording ${id} is missing`);
    yield part;
  }
}

function summaryOf(match: MatchRow, anchor: string | null): MatchSummary {
  return {
    id: match.id,
    lobbyId: match.lobbyId,
    state: match.endedAt ? 'ended' : match.startedAt ? 'running' : 'preparing',
    committedAt: match.committedAt.toISOString(),
    startedAt: match.startedAt?.toISOString() ?? null,
    endedAt: match.endedAt?.toISOString() ?? null,
    commitment: match.commitment,
    anchor: anchor === null ? null : transactionSignature(anchor),
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
