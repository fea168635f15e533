import type { LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import { and, eq } from 'drizzle-orm';
import { abandonEntries } from '../entries/entry-states.ts';
import type { Clock } from '../game/ports.ts';
import { holdsLease, isLeastLoaded, type Lease, releaseLease, takeLease } from '../lobbies/lease.ts';
import { abandonMatches } from '../matches/match-states.ts';
import type { Context } from '../platform/context.ts';
import { matches, matchMoves } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { untilAnswered } from './until-answered.ts';

/** How long a lobby is left to a process with less load. After that, any process opens it. */
const YIELD_MS = 3_000;

/** The lobbies that this process runs, each with the lease that proves it. */
export function createLeases(context: Context, clock: Clock) {
  const held = new Map<LobbyId, Lease>();
  /** Since when each lobby has been left to others. */
  const yielded = new Map<LobbyId, number>();
  /** Leases being released: a new one taken before that is done would be deleted with the old one. */
  const releasing = new Map<LobbyId, Promise<void>>();

  /** Whether to leave a lobby to another process for now. */
  const yields = async (lobbyId: LobbyId): Promise<boolean> => {
    if (await isLeastLoaded(context)) return false;
    const nowMs = clock.monotonicMs();
    const sinceMs = yielded.get(lobbyId) ?? nowMs;
    yielded.set(lobbyId, sinceMs);
    return nowMs - sinceMs < YIELD_MS;
  };

  return {
    take: async (lobbyId: LobbyId): Promise<boolean> => {
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

/** Whether a match of the lobby was given to this process and waits to be taken over. */
async function isArriving({ processId }: Context, tx: Database, lobbyId: LobbyId): Promise<boolean> {
  const arriving = await tx
    .select({ id: matchMoves.matchId })
    .from(matchMoves)
    .innerJoin(matches, eq(matches.id, matchMoves.matchId))
    .where(and(eq(matches.lobbyId, lobbyId), eq(matches.heldBy, processId)));
  return arriving.length > 0;
}
