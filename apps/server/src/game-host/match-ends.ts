import type { MatchId } from '@engulf/domain/ids/entity-ids';
import { NOBODY } from '../entries/entry-states.ts';
import type { Clock, EndedMatch, GamePorts } from '../game/ports.ts';
import { holdsMatch, moveMatch } from '../matches/match-states.ts';
import type { createRecordings } from '../matches/recordings.ts';
import type { Context } from '../platform/context.ts';
import type { createLeases } from './leases.ts';
import { untilAnswered } from './until-answered.ts';

type MatchEndDeps = {
  readonly recordings: ReturnType<typeof createRecordings>;
  readonly leases: Pick<ReturnType<typeof createLeases>, 'holds'>;
  readonly clock: Clock;
};

/** How long a room waits for its recording to be stored. */
const STORED_WITHIN_MS = 10_000;

/**
 * Ends matches. While the storage does not take the rest of a recording, its match stays with this process and ends later,
 * but its lobby need not wait for that.
 */
export function createMatchEnds(
  context: Pick<Context, 'db' | 'logger' | 'processId'>,
  { recordings, leases, clock }: MatchEndDeps,
) {
  const { db, processId, logger } = context;
  const waiting = new Set<MatchId>();

  const end = async ({ id, lobbyId, finalTick, spill }: EndedMatch): Promise<void> => {
    waiting.add(id);
    try {
      const isOurs = (tx: typeof db) => holdsMatch(tx, id, processId);
      await recordings.close(id, { finalTick, spillAfter: spill, isOurs });
    } catch (error) {
      // Otherwise it is abandoned when the lease is released.
      if (!leases.holds(lobbyId))
        await untilAnswered(context, () => moveMatch(db, id, { from: processId, to: NOBODY }));
      throw error;
    } finally {
      waiting.delete(id);
    }
  };

  const closeMatch: GamePorts['closeMatch'] = (match) =>
    new Promise((resolve, reject) => {
      let isLate = false;
      const cancel = clock.setTimer(STORED_WITHIN_MS, () => {
        isLate = true;
        resolve();
      });
      end(match)
        .finally(cancel)
        .then(resolve, (error: unknown) => {
          if (isLate)
            logger.error({ code: 'RECORDING_NOT_CLOSED', err: error, matchId: match.id }, 'others end it');
          reject(error);
        });
    });

  return {
    closeMatch,
    /** Matches that end later. */
    waiting: (): MatchId[] => [...waiting],
  };
}
