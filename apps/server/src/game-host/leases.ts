import type { LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import { isSameRegion } from '@engulf/domain/lobby/region';
import { and, eq } from 'drizzle-orm';
import { abandonEntries } from '../entries/entry-states.ts';
import type { Clock } from '../game/ports.ts';
import {
  holdsLease,
  isLeastLoaded,
  type Lease,
  listLeasedElsewhere,
  livingRegions,
  releaseLease,
  takeLease,
} from '../lobbies/lease.ts';
import { findLobby, type LobbyRow } from '../lobbies/lobby-rows.ts';
import { abandonMatches } from '../matches/match-states.ts';
import type { Context } from '../platform/context.ts';
import { matches, matchMoves } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { untilAnswered } from './until-answered.ts';

/** How long a lobby is left to a process with less load. After that, any process opens it. */
const YIELD_MS = 3_000;

/** How long a region has to be without a process before others take its lobbies. */
const REGION_LOST_MS = 60_000;

/** The lobbies that this process runs, each with the lease that proves it. */
export function createLeases(
  context: Pick<Context, 'db' | 'logger' | 'processId'>,
  clock: Clock,
  { region = null, isStandby = false }: { region?: string | null; isStandby?: boolean } = {},
) {
  const held = new Map<LobbyId, Lease>();
  /** Since when each region has had no process, as far as this one has seen. */
  const lost = new Map<string, number>();
  /** What others ran at the latest look. */
  let elsewhere: ReadonlySet<LobbyId> = new Set();
  /** Since when each lobby has been left to others. */
  const yielded = new Map<LobbyId, number>();
  /** Leases being released: a new one taken before that is done would be deleted with the old one. */
  const releasing = new Map<LobbyId, Promise<void>>();

  /** Whether to leave a lobby to another process for now. */
  const yields = async (lobbyId: LobbyId): Promise<boolean> => {
    const lobbyRegion = region === null ? null : await readRegion(context, lobbyId);
    if (!isSameRegion(lobbyRegion, region) && !(await isLost(lobbyRegion!))) return true;
    if (await isLeastLoaded(context, lobbyRegion)) return false;
    const nowMs = clock.monotonicMs();
    const sinceMs = yielded.get(lobbyId) ?? nowMs;
    yielded.set(lobbyId, sinceMs);
    return nowMs - sinceMs < YIELD_MS;
  };

  /** Whether a region has been without a process for so long that this one may take its lobbies. */
  const isLost = async (other: string): Promise<boolean> => {
    if (!isStandby) return false;
    const nowMs = clock.monotonicMs();
    if ((await livingRegions(context)).has(other)) lost.delete(other);
    else lost.set(other, lost.get(other) ?? nowMs);
    return nowMs - (lost.get(other) ?? nowMs) >= REGION_LOST_MS;
  };

  return {
    /**
     * What other processes run, before each round of attempts: every process looks at every lobby every second, and nearly all
     * have their room. Returns those of ours that have a region with processes of its own.
     */
    look: async (lobbies: readonly Pick<LobbyRow, 'id' | 'region'>[]): Promise<ReadonlySet<LobbyId>> => {
      elsewhere = await listLeasedElsewhere(context);
      const far = lobbies.filter((lobby) => held.has(lobby.id) && !isSameRegion(lobby.region, region));
      const living = far.length === 0 ? new Set() : await livingRegions(context);
      return new Set(far.filter((lobby) => living.has(lobby.region)).map(({ id }) => id));
    },
    take: async (lobbyId: LobbyId): Promise<boolean> => {
      if (!held.has(lobbyId) && elsewhere.has(lobbyId)) return false;
      if (!held.has(lobbyId) && (await yields(lobbyId))) return false;
      yielded.delete(lobbyId);
      await releasing.get(lobbyId);
      const lease = await context.db.transaction(async (tx) => {
        const taken = await takeLease({ db: tx, processId: context.processId }, lobbyId);
        // It was handed over with a match that is not resumed yet: a second match would soon lose the lease.
        return taken && (await isArriving(context, tx, lobbyId)) ? undefined : taken;
      });
      if (lease) held.set(lobbyId, lease);
      return lease !== undefined;
    },
    /**
     * What is still open can no longer be settled here: others refund its entries and end its matches, except those that
     * end here later.
     */
    release: async (lobbyId: LobbyId, ending: readonly MatchId[] = []): Promise<void> => {
      const { db, processId } = context;
      held.delete(lobbyId);
      const released = untilAnswered(context, () =>
        db.transaction(async (tx) => {
          await releaseLease({ db: tx, processId }, lobbyId);
          await abandonEntries(tx, lobbyId, processId);
          await abandonMatches(tx, lobbyId, { heldBy: processId, except: ending });
        }),
      ).finally(() => releasing.delete(lobbyId));
      releasing.set(lobbyId, released);
      await released;
    },
    /** For a lobby that was handed to this process. */
    adopt: (lobbyId: LobbyId, lease: Lease): void => {
      held.set(lobbyId, lease);
    },
    /** For a lobby that was handed to another. */
    drop: (lobbyId: LobbyId): void => {
      held.delete(lobbyId);
    },
    /** Whether this process was given the lobby, as far as it knows. */
    holds: (lobbyId: LobbyId): boolean => held.has(lobbyId),
    /** Whether this process may still write about the lobby; true until the transaction ends. */
    owns: async (tx: Database, lobbyId: LobbyId): Promise<boolean> => {
      const lease = held.get(lobbyId);
      return lease !== undefined && holdsLease(tx, lobbyId, lease);
    },
  };
}

async function readRegion({ db }: Pick<Context, 'db'>, lobbyId: LobbyId): Promise<string | null> {
  return (await findLobby(db, lobbyId))?.region ?? null;
}

/** Whether a match of the lobby was given to this process and waits to be taken over. */
async function isArriving(
  { processId }: Pick<Context, 'processId'>,
  tx: Database,
  lobbyId: LobbyId,
): Promise<boolean> {
  const arriving = await tx
    .select({ id: matchMoves.matchId })
    .from(matchMoves)
    .innerJoin(matches, eq(matches.id, matchMoves.matchId))
    .where(and(eq(matches.lobbyId, lobbyId), eq(matches.heldBy, processId)));
  return arriving.length > 0;
}
