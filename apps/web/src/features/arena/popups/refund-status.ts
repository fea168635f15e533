import { type GameHistoryRow, listGamesHistory } from '@engulf/protocol/http/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOrThrow, callApi } from '../../../shared/api/call-api.ts';

const ASK_EVERY_MS = 3_000;
/** The clocks of server and page may differ by this much. */
const CLOCK_SLACK_MS = 120_000;

/** The refund of the game that has just ended; undefined until the server has decided it. */
export function useRefund(isExpected: boolean): GameHistoryRow | undefined {
  const [openedMs] = useState(() => Date.now());
  const { data } = useQuery({
    queryKey: ['own', 'refund', openedMs],
    queryFn: async () => {
      const page = answerOrThrow(await callApi(listGamesHistory, { query: { page: 1 } })).data;
      return findRefund(page.data, openedMs) ?? null;
    },
    enabled: isExpected,
    refetchInterval: ({ state }) => (state.data?.status === 'completed' ? false : ASK_EVERY_MS),
  });
  return data ?? undefined;
}

export function findRefund(rows: readonly GameHistoryRow[], sinceMs: number): GameHistoryRow | undefined {
  return rows.find(({ isRefund, createdAt }) => isRefund && Date.parse(createdAt) > sinceMs - CLOCK_SLACK_MS);
}
