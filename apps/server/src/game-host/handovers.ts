import type { LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import { NO_BOND } from '@engulf/sim/recording/header';
import { and, eq, ne } from 'drizzle-orm';
import { arePlaying, giveEntries, NOBODY } from '../entries/entry-states.ts';
import { ticketOf } from '../entries/tickets.ts';
import type { ArrivingMatch, GameLobby, GamePorts, Seat } from '../game/ports.ts';
import { chooseSuccessor, giveLease, type Lease, releaseLease } from '../lobbies/lease.ts';
import { publicPartOf } from '../matches/match-origin.ts';
import { moveMatch, readSecrets } from '../matches/match-states.ts';
import type { createRecordings } from '../matches/recordings.ts';
import type { Context } from '../platform/context.ts';
import {
  type EntryRow,
  entries,
  gameProcesses,
  lobbyLeases,
  matches,
  matchMoves,
} from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { markDraining } from '../platform/fleet/game-processes.ts';
import type { createLeases } from './leases.ts';
import type { MoneyLanes } from './money-lanes.ts';
import { untilAnswered } from './until-answered.ts';

/*
 * A match is handed over in one transaction: the lease, the entries, the match and its packed state. Before it, the match
 * belongs to the process that leaves, and after it to the other. If either of them dies, the entries that it holds are
 * refunded like those of any dead process.
 */

type Handovers = Pick<GamePorts, 'startLeaving' | 'handOver' | 'takeOver' | 'abandonMatch'>;

type HandoverDeps = {
  readonly leases: ReturnType<typeof createLeases>;
  readonly lanes: MoneyLanes;
  readonly recordings: ReturnType<typeof createRecordings>;
  readonly readLobby: (tx: Database, lobbyId: LobbyId) => Promise<GameLobby>;
  readonly readSeats: (tx: Database, lobby: GameLobby, playing: readonly EntryRow[]) => Promise<Seat[]>;
  readonly onTaken: (match: ArrivingMatch) => void;
  /** No other process can exist. */
  readonly isAlone: boolean;
};

export function createHandovers(
  context: Pick<Context, 'db' | 'keys' | 'logger' | 'processId' | 'nowMs'>,
  deps: HandoverDeps,
): Handovers {
  const { db, logger, processId } = context;
  const { leases, lanes, recordings } = deps;

  const handOver: Handovers['handOver'] = async ({ id, lobbyId, entryIds, state }) => {
    const [successor, recording] = await Promise.all([
      chooseSuccessor(context),
      recordings.flush(id),
      lanes.drainLobby(lobbyId),
    ]);
    if (!successor || !recording) return undefined;
    const moving = db.transaction(async (tx) => {
      if (!(await leases.owns(tx, lobbyId)) || !(await stays(tx, successor.id))) return undefined;
      const playing = await giveEntries(tx, id, { from: processId, to: successor.id });
      const isComplete =
        playing.length === entryIds.length && playing.every((entry) => entryIds.includes(entry.id));
      if (!isComplete)
        throw new Error(`The match ${id} has ${playing.length} entries, its room ${entryIds.length}`);
      if (!(await moveMatch(tx, id, { from: processId, to: successor.id })))
        throw new Error(`The match ${id} is not ours`);
      const packed = Buffer.from(state).toString('base64');
      await tx.insert(matchMoves).values({ matchId: id, state: packed, recording });
      await giveLease(tx, lobbyId, successor.id);
      const tickets = playing.map(async (entry) => [entry.id, await ticketOf(context, entry)] as const);
      return { baseGame: successor.address, tickets: new Map(await Promise.all(tickets)) };
    });
    const move = await moving.catch(async (error: unknown) => {
      // Only the answer may be lost, not the change: a match that is no longer ours must not continue here.
      const isOurs = await untilAnswered(context, () => leases.owns(db, lobbyId));
      if (isOurs) throw error;
      return 'unknown' as const;
    });
    if (!move) return undefined;
    leases.drop(lobbyId);
    recordings.forget(id);
    return move;
  };

  const takeOver: Handovers['takeOver'] = async () => {
    if (deps.isAlone) return { matches: [], isNearby: false };
    const waiting = await db
      .select({ match: matches, move: matchMoves, token: lobbyLeases.token })
      .from(matchMoves)
      .innerJoin(matches, eq(matches.id, matchMoves.matchId))
      .innerJoin(lobbyLeases, eq(lobbyLeases.lobbyId, matches.lobbyId))
      .where(and(eq(matches.heldBy, processId), eq(lobbyLeases.processId, processId)));
    // Asked before anything is taken, so that a later failure cannot lose what was taken.
    const isNearby = await isAnyoneLeaving();
    const receiving = waiting.map(async ({ match, move, token }) => {
      try {
        return [await receive(match, move, { token })];
      } catch (error) {
        logger.error({ code: 'MATCH_NOT_RESUMED', err: error, matchId: match.id }, 'refunded instead');
        await abandonMatch(match.id, match.lobbyId);
        return [];
      }
    });
    return { matches: (await Promise.all(receiving)).flat(), isNearby };
  };

  const receive = async (
    { id, lobbyId, commitment, publicSlot, blockhash }: typeof matches.$inferSelect,
    { state, recording }: typeof matchMoves.$inferSelect,
    lease: Lease,
  ): Promise<ArrivingMatch> => {
    await recordings.resume(id, recording);
    leases.adopt(lobbyId, lease);
    const arriving = await db.transaction(async (tx) => {
      await tx.delete(matchMoves).where(eq(matchMoves.matchId, id));
      const secrets = await readSecrets(tx, id);
      if (secrets === undefined) throw new Error(`The match ${id} has ended`);
      const publicPart =
        publicSlot === null || blockhash === null ? null : publicPartOf({ slot: publicSlot, blockhash });
      const lobby = await deps.readLobby(tx, lobbyId);
      return {
        lobby,
        origin: {
          id,
          commitment: Buffer.from(commitment, 'hex'),
          publicPart,
          bond: NO_BOND,
          secret: Buffer.from(secrets.secret, 'hex'),
        },
        seats: await deps.readSeats(tx, lobby, await lockPlaying(tx, id)),
        state: Buffer.from(state, 'base64'),
      };
    });
    deps.onTaken(arriving);
    return arriving;
  };

  const abandonMatch = async (id: MatchId, lobbyId: LobbyId): Promise<void> => {
    recordings.forget(id);
    leases.drop(lobbyId);
    await untilAnswered(context, () =>
      db.transaction(async (tx) => {
        const heldBy = { from: processId, to: NOBODY };
        await giveEntries(tx, id, heldBy);
        if (await moveMatch(tx, id, heldBy)) await tx.delete(matchMoves).where(eq(matchMoves.matchId, id));
        await releaseLease({ db: tx, processId }, lobbyId);
      }),
    );
  };

  const isAnyoneLeaving = async (): Promise<boolean> => {
    const isPeer = and(ne(gameProcesses.id, processId), eq(gameProcesses.isDraining, true));
    return (await db.select({ id: gameProcesses.id }).from(gameProcesses).where(isPeer)).length > 0;
  };

  const lockPlaying = (tx: Database, id: MatchId): Promise<EntryRow[]> =>
    tx.select().from(entries).where(arePlaying(id, processId)).for('update');

  return {
    startLeaving: async () => {
      // A process that was declared dead has nothing left to hand over.
      if (deps.isAlone || !(await markDraining(context))) return false;
      const isStaying = and(ne(gameProcesses.id, processId), eq(gameProcesses.isDraining, false));
      return (await db.select({ id: gameProcesses.id }).from(gameProcesses).where(isStaying)).length > 0;
    },
    handOver,
    takeOver,
    abandonMatch,
  };
}

/** Whether a process is staying. It cannot start to leave before the transaction ends. */
async function stays(tx: Database, processId: string): Promise<boolean> {
  const isStaying = and(eq(gameProcesses.id, processId), eq(gameProcesses.isDraining, false));
  return (
    (await tx.select({ id: gameProcesses.id }).from(gameProcesses).where(isStaying).for('share')).length > 0
  );
}
