import { type GameHistoryRow, listGamesHistory } from '@engulf/protocol/http/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOrThrow, callApi } from '../../../shared/api/call-api.ts';
import { entryRecord } from '../../../shared/entry-record.ts';

const ASK_EVERY_MS = 3_000;

/** The refund of the game that has just ended; undefined until the server has decided it. */
export function useRefund(isExpected: boolean): GameHistoryRow | undefined {
  const [sessionId] = useState(() => entryRecord.read('sessionId'));
  const { data } = useQuery({
    queryKey: ['own', 'refund', sessionId],
    queryFn: async () => {
      const page = answerOrThrow(await callApi(listGamesHistory, { query: { page: 1 } })).data;
      return findRefund(page.data, sessionId) ?? null;
    },
    enabled: isExpected && sessionId !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'completed' ? false : ASK_EVERY_MS),
  });
  return data ?? undefined;
}

/** A game goes by the id of its session. */
export function findRefund(
  rows: readonly GameHistoryRow[],
  sessionId: string | undefined,
): GameHistoryRow | undefined {
  return rows.find(({ isRefund, gameId }) => isRefund && gameId === sessionId);
}
