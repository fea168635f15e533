import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryId, LobbyId } from '@engulf/domain/ids/entity-ids';
import type { Logger } from 'pino';
import type { BountyMove, EntryOutcome, GamePorts, Settlement } from '../ports.ts';

/**
 * Passes the money of a match on in the order in which it happened. A settlement may put into the spill what the
 * next move takes out of it, so moves wait for every settlement before them, and settlements for every move.
 */
export type MoneyQueue = {
  move(moves: readonly BountyMove[]): void;
  /** Resolves when it is durable; undefined if that could not be had. */
  settle(entryId: EntryId, outcome: EntryOutcome): Promise<Settlement | undefined>;
  /** Resolves when nothing that was asked for so far is still under way. */
  drained(): Promise<unknown>;
};

const RETRY_AFTER_MS = [100, 250, 500, 1_000, 2_000, 4_000, 8_000];

export function createMoneyQueue(ports: GamePorts, lobbyId: LobbyId, logger: Logger): MoneyQueue {
  let movesPassedOn: Promise<unknown> = Promise.resolve();
  let settlementsSince: Promise<unknown>[] = [];
  const drained = () => Promise.all([movesPassedOn, ...settlementsSince]);

  return {
    move: (moves) => {
      movesPassedOn = drained()
        .then(() => ports.recordBountyMoves(lobbyId, moves))
        .catch((error: unknown) => logger.fatal({ err: error, moves }, 'bounty moves were not recorded'));
      settlementsSince = [];
    },
    settle: (entryId, outcome) => {
      const settled = movesPassedOn.then(() => settleStubbornly(ports, entryId, outcome, logger));
      settlementsSince.push(settled);
      return settled;
    },
    drained,
  };
}

/** An entry that cannot be settled stays open in the database, and is settled when the server starts again. */
async function settleStubbornly(
  ports: GamePorts,
  entryId: EntryId,
  outcome: EntryOutcome,
  logger: Logger,
): Promise<Settlement | undefined> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ports.settleEntry(entryId, outcome);
    } catch (error) {
      const waitMs = RETRY_AFTER_MS[attempt];
      logger.error({ err: error, entryId, kind: outcome.kind, attempt, waitMs }, 'an entry was not settled');
      if (waitMs === undefined) return undefined;
      await sleep(waitMs);
    }
  }
}
