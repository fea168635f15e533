import { listActivity } from '@engulf/protocol/http/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { answerOrThrow, callApi } from '../../shared/api/call-api.ts';

const REFRESH_MS = 10_000;

/** How the latest paid games ended, newest first. */
export function useActivity() {
  return useInfiniteQuery({
    queryKey: ['activity'],
    queryFn: async ({ pageParam }) =>
      answerOrThrow(await callApi(listActivity, { query: { page: pageParam } })).data,
    initialPageParam: 1,
    getNextPageParam: ({ currentPage, lastPage }) => (currentPage < lastPage ? currentPage + 1 : undefined),
    refetchInterval: REFRESH_MS,
  });
}
