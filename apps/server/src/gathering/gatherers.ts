import { randomUUID } from 'node:crypto';
import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import { and, asc, count, eq, gt, gte, inArray, isNull, lte, ne, notExists, or, sql } from 'drizzle-orm';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { type EntryRow, entries, IS_LIVE, LIVE_STATES } from '../platform/database/games.ts';
import { type GathererRow, gatherers } from '../platform/database/gatherers.ts';
import type { Database } from '../platform/database/open-database.ts';
import { signInSessions, users } from '../platform/database/people.ts';
import { prepareOnce } from '../platform/database/prepare-once.ts';
import { GATHERING } from './gathering-rules.ts';

/*
 * The only writer of the people who gather. Call all of these with the lobby locked, except where they say otherwise.
 */

export type Gatherer = Pick<GathererRow, 'userId' | 'lobbyId' | 'state' | 'callEndsAt'> & {
  readonly name: string;
  readonly avatarUrl: string | null;
};

/** Everybody who waits or is called, first come first. Needs no lock. */
export async function listGatherers(db: Database, nowMs: number): Promise<Gatherer[]> {
  const rows = await listHere(db).execute();
  return rows.filter((row) => row.state === 'waiting' || isUnderWay(row, nowMs));
}

/** Not so if the call ends later than any that was made by now could: the clock was set back. */
export function isUnderWay({ callEndsAt }: Pick<GathererRow, 'callEndsAt'>, nowMs: number): boolean {
  const leftMs = callEndsAt!.getTime() - nowMs;
  return leftMs > 0 && leftMs <= GATHERING.payWithinMs + GATHERING.clockSkewMs;
}

const listHere = prepareOnce((db) =>
  db
    .select({
      userId: gatherers.userId,
      lobbyId: gatherers.lobbyId,
      state: gatherers.state,
      callEndsAt: gatherers.callEndsAt,
      name: users.name,
      avatarUrl: users.avatarUrl,
    })
    .from(gatherers)
    .innerJoin(users, eq(users.id, gatherers.userId))
    .where(ne(gatherers.state, 'away'))
    .orderBy(asc(gatherers.since), asc(gatherers.userId)),
);

export async function findGatherer(tx: Database, userId: UserId): Promise<GathererRow | undefined> {
  const [row] = await tx.select().from(gatherers).where(eq(gatherers.userId, userId)).for('update');
  return row;
}

/** An arbitrary number. The locks of two addresses may be the same one, which only makes somebody wait. */
const ADDRESS_LOCK = 4_710_816;

/**
 * How many of an address gather now, without this user. Whoever counts the same address next waits until this transaction is
 * over: the lock on a lobby says nothing about the others. Ask last, so that nobody waits for long.
 */
export async function countFrom(tx: Database, addressHash: string, userId: UserId): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ADDRESS_LOCK}, hashtext(${addressHash}))`);
  const isOther = and(
    eq(gatherers.addressHash, addressHash),
    ne(gatherers.state, 'away'),
    ne(gatherers.userId, userId),
  );
  const [row] = await tx.select({ count: count() }).from(gatherers).where(isOther);
  return row!.count;
}

export async function beginWaiting(
  tx: Database,
  who: Pick<GathererRow, 'userId' | 'lobbyId' | 'addressHash'>,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs);
  const row = { ...who, state: 'waiting', since: now, seenAt: now } as const;
  await tx.insert(gatherers).values(row).onConflictDoUpdate({ target: gatherers.userId, set: row });
}

/** The users' menus are still open. Needs no lock. */
export async function noteSeen(db: Database, userIds: readonly UserId[], nowMs: number): Promise<void> {
  const isHere = and(inArray(gatherers.userId, [...userIds]), ne(gatherers.state, 'away'));
  // They are in several lobbies: whoever locks many rows locks them in this order, or two wait for each other.
  const inOrder = db
    .select({ userId: gatherers.userId })
    .from(gatherers)
    .where(isHere)
    .orderBy(asc(gatherers.userId))
    .for('update');
  await db
    .update(gatherers)
    .set({ seenAt: new Date(nowMs) })
    .where(inArray(gatherers.userId, inOrder));
}

export async function stopWaiting(tx: Database, userIds: readonly UserId[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx
    .update(gatherers)
    .set({ state: 'away' })
    .where(and(inArray(gatherers.userId, [...userIds]), sql`${gatherers.state} = 'waiting'`));
}

/** Which of these users are signed in somewhere and not banned. An open menu says neither: it may outlive its session. */
export async function findSignedIn(
  tx: Database,
  userIds: readonly UserId[],
  nowMs: number,
): Promise<ReadonlySet<UserId>> {
  const rows = await tx
    .selectDistinct({ id: users.id })
    .from(users)
    .innerJoin(signInSessions, eq(signInSessions.userId, users.id))
    .where(
      and(
        inArray(users.id, [...userIds]),
        isNull(users.bannedAt),
        gt(signInSessions.expiresAt, new Date(nowMs)),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

/** Locks everybody who waits or is called in a lobby. First come first. */
export async function lockIn(tx: Database, lobbyId: LobbyId): Promise<GathererRow[]> {
  const rows = await tx
    .select()
    .from(gatherers)
    .where(isHereIn(lobbyId))
    .orderBy(asc(gatherers.userId))
    .for('update');
  return rows.sort((a, b) => a.since.getTime() - b.since.getTime());
}

/** Whether one of these users waits or is called in a lobby. */
export async function isAnyIn(tx: Database, lobbyId: LobbyId, userIds: readonly UserId[]): Promise<boolean> {
  if (userIds.length === 0) return false;
  const isOne = and(isHereIn(lobbyId), inArray(gatherers.userId, [...userIds]));
  return (await tx.select({ userId: gatherers.userId }).from(gatherers).where(isOne).limit(1)).length > 0;
}

const isHereIn = (lobbyId: LobbyId) => and(eq(gatherers.lobbyId, lobbyId), ne(gatherers.state, 'away'));

/** Calls them together: from now on each has a seat for a while. */
export async function call(tx: Database, waiting: readonly GathererRow[], nowMs: number): Promise<void> {
  await tx
    .update(gatherers)
    .set({
      state: 'called',
      callId: randomUUID(),
      calledAt: new Date(nowMs),
      callEndsAt: new Date(nowMs + GATHERING.payWithinMs),
      callSize: waiting.length,
    })
    .where(
      inArray(
        gatherers.userId,
        waiting.map(({ userId }) => userId),
      ),
    );
}

/** The call of this user is over. Who did not pay waits longer the next time, and twice as long the time after that. */
export async function endCall(
  tx: Database,
  { userId, misses }: GathererRow,
  hasCome: boolean | 'unknown',
  nowMs: number,
): Promise<void> {
  const missed = hasCome === false ? misses + 1 : 0;
  const waitMs = Math.min(GATHERING.maxBarredMs, GATHERING.firstBarredMs * 2 ** (missed - 1));
  const ended =
    hasCome === 'unknown'
      ? {}
      : { misses: missed, barredUntil: missed > 0 ? new Date(nowMs + waitMs) : null };
  await tx
    .update(gatherers)
    .set({ state: 'away', ...ended })
    .where(eq(gatherers.userId, userId));
}

/** The call of this user is called off, as if it had never been: nothing that comes later may follow it. */
export async function waitOn(tx: Database, { userId }: GathererRow): Promise<void> {
  const uncalled = { callId: null, calledAt: null, callEndsAt: null, callSize: null };
  await tx
    .update(gatherers)
    .set({ state: 'waiting', ...uncalled })
    .where(eq(gatherers.userId, userId));
}

/** The lobbies in which something is to be decided. Needs no lock. */
export async function gatheringLobbies(db: Database): Promise<LobbyId[]> {
  const rows = await db
    .selectDistinct({ lobbyId: gatherers.lobbyId })
    .from(gatherers)
    .where(ne(gatherers.state, 'away'));
  return rows.map(({ lobbyId }) => lobbyId);
}

/**
 * Seats that are held for people who were called and have not taken one yet. Half of a lobby is never held, so that
 * nobody can keep those out who pay at once.
 */
export async function countHeld(
  tx: Database,
  lobby: LobbyRow,
  newcomer: UserId,
  nowMs: number,
): Promise<number> {
  const awaited = await listingAwaited(tx).execute({
    lobbyId: lobby.id,
    after: new Date(nowMs).toISOString(),
    // Else a clock that is set back would hold the seats until it has caught up.
    until: new Date(nowMs + GATHERING.payWithinMs + GATHERING.clockSkewMs).toISOString(),
  });
  // Those who were called share what is held for them.
  if (awaited.some(({ userId }) => userId === newcomer)) return 0;
  return Math.min(awaited.length, Math.floor(lobby.maxPlayers / 2));
}

const listingAwaited = prepareOnce((db) => {
  const lobbyId = sql.placeholder('lobbyId');
  const isTheirs = and(eq(entries.userId, gatherers.userId), IS_LIVE, eq(entries.lobbyId, lobbyId));
  const isSeated = db.select({ id: entries.id }).from(entries).where(isTheirs);
  const isAwaited = and(
    eq(gatherers.lobbyId, lobbyId),
    sql`${gatherers.state} = 'called'`,
    gt(gatherers.callEndsAt, sql.placeholder('after')),
    lte(gatherers.callEndsAt, sql.placeholder('until')),
    notExists(isSeated),
  );
  return db.select({ userId: gatherers.userId }).from(gatherers).where(isAwaited);
});

/** The call that an entry follows. Needs no lock. */
export async function callOf(tx: Database, entry: EntryRow): Promise<GathererRow | undefined> {
  const [row] = await tx
    .select()
    .from(gatherers)
    .where(
      and(
        eq(gatherers.userId, entry.userId),
        eq(gatherers.lobbyId, entry.lobbyId),
        lte(gatherers.calledAt, entry.createdAt),
        gt(gatherers.callEndsAt, entry.createdAt),
      ),
    );
  return row;
}

const PAID_STATES: readonly EntryRow['state'][] = ['ticketSent', 'playing', 'ended', 'refunding'];

/** Which of these users have paid for a seat in the lobby since they were called. */
export function findPayers(tx: Database, called: readonly GathererRow[]): Promise<ReadonlySet<UserId>> {
  return findEntered(tx, called, PAID_STATES);
}

/** Which of these users say that they have paid, and may still be found to have. Anybody can say so. */
export function findClaimants(tx: Database, called: readonly GathererRow[]): Promise<ReadonlySet<UserId>> {
  return findEntered(tx, called, ['payment_processing']);
}

/** Which of these users said that they had paid, and had not. */
export function findLiars(tx: Database, called: readonly GathererRow[]): Promise<ReadonlySet<UserId>> {
  return findEntered(tx, called, ['payment_failed', 'payment_timeout']);
}

/** Which of these users have a seat in the lobby since they were called, paid or not. */
export function findSeated(tx: Database, called: readonly GathererRow[]): Promise<ReadonlySet<UserId>> {
  return findEntered(tx, called, LIVE_STATES);
}

async function findEntered(
  tx: Database,
  called: readonly GathererRow[],
  states: readonly EntryRow['state'][],
): Promise<ReadonlySet<UserId>> {
  if (called.length === 0) return new Set();
  const isTheirs = or(
    ...called.map(({ userId, lobbyId, calledAt }) =>
      and(eq(entries.userId, userId), eq(entries.lobbyId, lobbyId), gte(entries.createdAt, calledAt!)),
    ),
  );
  const rows = await tx
    .select({ userId: entries.userId })
    .from(entries)
    .where(and(isTheirs, inArray(entries.state, [...states])));
  return new Set(rows.map(({ userId }) => userId));
}
