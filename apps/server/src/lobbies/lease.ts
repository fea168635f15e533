import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { and, asc, eq, isNotNull, isNull, ne, not, or, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { gameProcesses, lobbyLeases, matches } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { prepareOnce } from '../platform/database/prepare-once.ts';

/*
 * Every open lobby has one room, in one process: the one that holds its lease. A lease goes with its process's row, and
 * its token is never given out twice. Whatever a room writes about money happens under the lease (`holdsLease`), so a
 * process that has lost it without knowing can change nothing.
 */

export type Lease = { readonly token: bigint };

/** The lease of a lobby that nobody else runs, or the one that this process has already. */
export async function takeLease(
  { db, processId }: Pick<Context, 'db' | 'processId'>,
  lobbyId: LobbyId,
): Promise<Lease | undefined> {
  const [own] = await db
    .select({ token: lobbyLeases.token })
    .from(lobbyLeases)
    .where(and(eq(lobbyLeases.lobbyId, lobbyId), eq(lobbyLeases.processId, processId)));
  if (own) return own;
  const [taken] = await db
    .insert(lobbyLeases)
    .values({ lobbyId, processId })
    .onConflictDoNothing()
    .returning({ token: lobbyLeases.token });
  return taken;
}

/** Whether the lease is still valid. Nobody can take it away before the transaction ends. */
export async function holdsLease(tx: Database, lobbyId: LobbyId, { token }: Lease): Promise<boolean> {
  const held = await holding(tx).execute({ lobbyId, token });
  return held.length > 0;
}

const holding = prepareOnce((db) =>
  db
    .select({ token: lobbyLeases.token })
    .from(lobbyLeases)
    .where(
      and(
        eq(lobbyLeases.lobbyId, sql.placeholder('lobbyId')),
        eq(lobbyLeases.token, sql.placeholder('token')),
      ),
    )
    .for('share'),
);

export async function releaseLease(
  { db, processId }: Pick<Context, 'db' | 'processId'>,
  lobbyId: LobbyId,
): Promise<void> {
  const isOurs = and(eq(lobbyLeases.lobbyId, lobbyId), eq(lobbyLeases.processId, processId));
  await db.delete(lobbyLeases).where(isOurs);
}

/** Another process has the lobby from now on, under a token of its own. The caller holds the lease. */
export async function giveLease(tx: Database, lobbyId: LobbyId, processId: string): Promise<void> {
  await tx.delete(lobbyLeases).where(eq(lobbyLeases.lobbyId, lobbyId));
  await tx.insert(lobbyLeases).values({ lobbyId, processId });
}

/** Whether a process runs the lobby's room. */
export async function hasRoom(context: Pick<Context, 'db'>, lobbyId: LobbyId): Promise<boolean> {
  return (await findRoom(context, lobbyId)) !== undefined;
}

/** The process that runs the lobby's room; its address is null if the page's own leads to it. */
export async function findRoom(
  { db }: Pick<Context, 'db'>,
  lobbyId: LobbyId,
): Promise<{ readonly address: string | null } | undefined> {
  const [room] = await db
    .select({ address: gameProcesses.address })
    .from(lobbyLeases)
    .innerJoin(gameProcesses, eq(gameProcesses.id, lobbyLeases.processId))
    .where(eq(lobbyLeases.lobbyId, lobbyId));
  return room;
}

/** Whether the lobby's room was open then. */
export async function isRoomOpen(
  context: Pick<Context, 'db'>,
  lobbyId: LobbyId,
  since: Date,
): Promise<boolean> {
  const openedAt = await roomOpenedAt(context, lobbyId);
  return openedAt !== undefined && openedAt <= since;
}

/** Since when the lobby's room is open. Its process has it before that, while the match waits for its block. */
export async function roomOpenedAt({ db }: Pick<Context, 'db'>, lobbyId: LobbyId): Promise<Date | undefined> {
  const isOfRoom = and(eq(matches.lobbyId, lobbyLeases.lobbyId), eq(matches.heldBy, lobbyLeases.processId));
  // What a match left over is known when it is over, although its recording may still wait for the storage.
  const isOver = or(isNotNull(matches.endedAt), isNotNull(matches.spillAfter));
  const isRunning = and(isNotNull(matches.startedAt), not(isOver!));
  const [first] = await db
    .select({ startedAt: matches.startedAt })
    .from(lobbyLeases)
    .innerJoin(matches, isOfRoom)
    .where(and(eq(lobbyLeases.lobbyId, lobbyId), isRunning))
    .orderBy(asc(matches.startedAt))
    .limit(1);
  return first?.startedAt ?? undefined;
}

export type RoomPlace = {
  /** Null: the page's own address leads there. */
  readonly address: string | null;
  readonly region: string | null;
};

/** The lobbies that other processes run. */
export async function listLeasedElsewhere({
  db,
  processId,
}: Pick<Context, 'db' | 'processId'>): Promise<ReadonlySet<LobbyId>> {
  const isOthers = ne(lobbyLeases.processId, processId);
  const rows = await db.select({ lobbyId: lobbyLeases.lobbyId }).from(lobbyLeases).where(isOthers);
  return new Set(rows.map(({ lobbyId }) => lobbyId));
}

/** Where the rooms are. */
export async function readPlaces({ db }: Pick<Context, 'db'>): Promise<Map<LobbyId, RoomPlace>> {
  const rows = await listPlaces(db).execute();
  return new Map(rows.map(({ lobbyId, ...place }) => [lobbyId, place]));
}

const listPlaces = prepareOnce((db) =>
  db
    .select({
      lobbyId: lobbyLeases.lobbyId,
      address: gameProcesses.address,
      region: gameProcesses.region,
    })
    .from(lobbyLeases)
    .innerJoin(gameProcesses, eq(gameProcesses.id, lobbyLeases.processId)),
);

/** The load of a row of `game_processes`: its lobbies and people. */
const loadOf = sql<number>`(
  (select count(*) from lobby_leases where lobby_leases.process_id = game_processes.id) +
  (select count(*) from entries where entries.held_by = game_processes.id and entries.state = 'playing')
)`.mapWith(Number);

/** Whether no other process that takes lobbies of the region has less load. */
export async function isLeastLoaded(
  { db, processId }: Pick<Context, 'db' | 'processId'>,
  region: string | null = null,
): Promise<boolean> {
  const isNear =
    region === null ? undefined : or(isNull(gameProcesses.region), eq(gameProcesses.region, region));
  const loads = await db
    .select({ id: gameProcesses.id, load: loadOf })
    .from(gameProcesses)
    .where(and(eq(gameProcesses.isDraining, false), isNear));
  const own = loads.find(({ id }) => id === processId)?.load ?? 0;
  return loads.every(({ load }) => load >= own);
}

type Successor = { readonly id: string; readonly address: string | null };

/** The process of our region with the least load that could continue a match of ours. */
export async function chooseSuccessor({
  db,
  processId,
}: Pick<Context, 'db' | 'processId'>): Promise<Successor | undefined> {
  const isUs = eq(gameProcesses.id, processId);
  const version = db.select({ version: gameProcesses.version }).from(gameProcesses).where(isUs);
  const region = db.select({ region: gameProcesses.region }).from(gameProcesses).where(isUs);
  const [successor] = await db
    .select({ id: gameProcesses.id, address: gameProcesses.address })
    .from(gameProcesses)
    .where(
      and(
        ne(gameProcesses.id, processId),
        eq(gameProcesses.isDraining, false),
        eq(gameProcesses.version, version),
        sql`${gameProcesses.region} is not distinct from (${region})`,
      ),
    )
    .orderBy(loadOf)
    .limit(1);
  return successor;
}

/** The regions that have a process. */
export async function livingRegions({ db }: Pick<Context, 'db'>): Promise<ReadonlySet<string | null>> {
  const rows = await db.selectDistinct({ region: gameProcesses.region }).from(gameProcesses);
  return new Set(rows.map(({ region }) => region));
}
