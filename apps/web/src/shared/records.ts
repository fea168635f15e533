import { type GoalState, type PlayRecords, readRecords } from '@engulf/protocol/http/dashboard';
import { useQuery } from '@tanstack/react-query';
import { answerOrThrow, callApi } from './api/call-api.ts';

/** The best of the player's lives, read anew whenever it is shown. Undefined until it is known. */
export function useRecords(isFree: boolean): PlayRecords | undefined {
  const { data } = useQuery(RECORDS_QUERY);
  return data && (isFree ? data.free : data.paid);
}

/** The goal of the day, and how far the player is. */
export function useDailyGoal(): GoalState | undefined {
  return useQuery(RECORDS_QUERY).data?.goal;
}

const RECORDS_QUERY = {
  queryKey: ['own', 'records'],
  queryFn: async () => answerOrThrow(await callApi(readRecords, {})).data,
  staleTime: 0,
  refetchInterval: 30_000,
};
