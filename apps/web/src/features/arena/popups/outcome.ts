import {
  type ActivityRow,
  type GameHistoryRow,
  listActivity,
  listGamesHistory,
} from '@engulf/protocol/http/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOrThrow, callApi } from '../../../shared/api/call-api.ts';
import { serverNowMs } from '../../../shared/server-clock.ts';
import type { GameEnd } from './game-end.ts';

const ASK_EVERY_MS = 3_000;
/** The clocks of server and page may differ by this much. */
const CLOCK_SLACK_MS = 120_000;
const MAX_PAGES = 10;

/** How a game ended that the player was cut off from. */
type Outcome =
  | { readonly kind: 'refund'; readonly row: GameHistoryRow }
  /** It had already ended, and the room could not say so. */
  | { readonly kind: 'ended'; readonly end: GameEnd };

type CutOff = GameEnd & { readonly kind: 'disconnected' };

/** Undefined until the server has decided it. Without a game there is nothing to look for. */
export function useOutcome(game: CutOff | undefined): Outcome | undefined {
  const [openedMs] = useState(serverNowMs);
  const { data } = useQuery({
    queryKey: ['own', 'outcome', openedMs, game?.gameId],
    queryFn: async () => {
      const own = await callApi(listGamesHistory, { query: { page: 1 } });
      const paid = findPayout(answerOrThrow(own).data.data, game?.gameId, openedMs);
      if (paid || game?.gameId === undefined) return paid ?? null;
      // A game that pays nothing is not among the payouts.
      return (await askForDeath(game.gameId, openedMs)) ?? null;
    },
    enabled: game !== undefined,
    refetchInterval: ({ state: { data } }) => (data && isFinal(data) ? false : ASK_EVERY_MS),
  });
  return data ?? undefined;
}

function isFinal(outcome: Outcome): boolean {
  return outcome.kind === 'ended' || outcome.row.status === 'completed';
}

/** If it is not known which game it was, its refund is recognised by the time. */
function findPayout(
  rows: readonly GameHistoryRow[],
  gameId: string | undefined,
  sinceMs: number,
): Outcome | undefined {
  const row = rows.find((each) =>
    gameId === undefined
      ? each.isRefund && !each.isPlayMoney && Date.parse(each.createdAt) > sinceMs - CLOCK_SLACK_MS
      : each.gameId === gameId,
  );
  if (!row) return undefined;
  if (row.finalStatus === 'killed') return EATEN;
  const wasClosed = row.finalStatus === 'closed';
  if (row.isRefund && !wasClosed) return { kind: 'refund', row };
  const { amountText: reward, usdText: usdValue } = row;
  const end = { kind: 'secured', wasClosed, reward, usdValue, finalMass: undefined } as const;
  return { kind: 'ended', end };
}

/** Others may have ended since: it looks on until the rows are too old. */
async function askForDeath(gameId: string, sinceMs: number): Promise<Outcome | undefined> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const all = await callApi(listActivity, { query: { page } });
    const { data: rows, lastPage } = answerOrThrow(all).data;
    const death = findDeath(rows, gameId);
    const oldestMs = Date.parse(rows.at(-1)?.createdAt ?? '');
    if (death || page === lastPage || !(oldestMs > sinceMs - CLOCK_SLACK_MS)) return death;
  }
  return undefined;
}

function findDeath(rows: readonly ActivityRow[], gameId: string): Outcome | undefined {
  const row = rows.find(({ _id }) => _id === gameId);
  return row?.finalStatus === 'killed' ? EATEN : undefined;
}

const EATEN: Outcome = {
  kind: 'ended',
  end: { kind: 'rekt', eatenBy: undefined, bagLost: undefined, finalMass: undefined },
};
