import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import type { Solvency } from '@engulf/protocol/http/solvency';
import { and, asc, eq, isNotNull } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { lobbies } from '../platform/database/games.ts';
import { solvencyNow } from '../platform/database/solvency.ts';
import { describeSolvency, type SolvencyRow } from './describe-solvency.ts';

const REFRESH_MS = 3_000;

/** What visitors see, from memory: however many ask, the tables are read at most every few seconds. */
export type SolvencyCopy = {
  /** Rejects only if the tables could never be read. */
  read(): Promise<Solvency>;
  hasLobby(id: string): Promise<boolean>;
};

export function createSolvencyCopy(
  context: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  { explorerAccountUrl }: { readonly explorerAccountUrl: string | null },
): SolvencyCopy {
  let rows: readonly SolvencyRow[] | undefined;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const refresh = async (): Promise<void> => {
    triedAtMs = context.nowMs();
    try {
      rows = await readRows(context);
    } catch (error) {
      if (!rows) throw error;
      // The readings keep their times, so they are called stale in due course.
      context.logger.error({ code: 'SOLVENCY_NOT_READ', err: error }, 'the solvency could not be refreshed');
    }
  };
  const known = async (): Promise<readonly SolvencyRow[]> => {
    if (!rows || context.nowMs() - triedAtMs >= REFRESH_MS) {
      reading ??= refresh().finally(() => {
        reading = undefined;
      });
      await reading;
    }
    return rows!;
  };
  return {
    read: async () => describeSolvency(await known(), { nowMs: context.nowMs(), explorerAccountUrl }),
    hasLobby: async (id) => (await known()).some(({ lobby }) => lobby.id === (id as LobbyId)),
  };
}

async function readRows({ db }: Pick<Context, 'db'>): Promise<SolvencyRow[]> {
  return (
    db
      .select({ lobby: lobbies, newest: solvencyNow })
      .from(lobbies)
      .leftJoin(solvencyNow, eq(solvencyNow.lobbyId, lobbies.id))
      // One that is being removed owes nothing, and its pool may be gone already.
      .where(and(isNotNull(lobbies.chainLobbyId), eq(lobbies.stage, 'ready')))
      .orderBy(asc(lobbies.sortOrder))
  );
}
