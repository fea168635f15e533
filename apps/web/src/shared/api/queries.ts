import { type PublicConfig, readConfig } from '@engulf/protocol/http/config';
import type { User } from '@engulf/protocol/user';
import { readProfile } from '@engulf/protocol/user';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNow } from '../use-now.ts';
import { answerOrThrow, callApi } from './call-api.ts';

const ASK_AGAIN_MS = 3_000;
const PROFILE_KEY = ['profile'] as const;

const CONFIG_QUERY = {
  queryKey: ['config'],
  queryFn: async () => answerOrThrow(await callApi(readConfig, {})),
};

/** Without prices once they are too old to be shown. */
export function useConfig() {
  const query = useQuery({
    ...CONFIG_QUERY,
    // It carries the prices.
    refetchInterval: 30_000,
    retry: 2,
  });
  // Looks again from time to time; the query cache counts by the clock of the browser.
  useNow(10_000);
  const { data, dataUpdatedAt } = query;
  const isOld = data !== undefined && Date.now() - dataUpdatedAt > data.prices.maxAgeMs;
  const config = useMemo(
    () => (data && isOld ? { ...data, prices: { ...data.prices, usdMicro: {} } } : data),
    [data, isOld],
  );
  return { ...query, data: config };
}

/** Where the page leads to; nothing until the server has said so. */
export function useLinks(): Partial<PublicConfig['links']> {
  // No retry on mount: while the server is away, that would replace its page with the loading screen.
  const { data } = useQuery({ ...CONFIG_QUERY, staleTime: Number.POSITIVE_INFINITY, retryOnMount: false });
  return data?.links ?? {};
}

/** Part of every entry fee; 0 until the server has said so. */
export function usePlatformFeeBasisPoints(): number {
  const { data } = useQuery({ ...CONFIG_QUERY, staleTime: Number.POSITIVE_INFINITY, retryOnMount: false });
  return data?.platformFeeBasisPoints ?? 0;
}

/** Null for a visitor, undefined while loading: a server that does not answer is asked again until it does. */
export function useUser(): User | null | undefined {
  const { data } = useQuery({
    queryKey: PROFILE_KEY,
    queryFn: fetchUser,
    staleTime: 30_000,
    refetchInterval: ({ state }) => state.data === undefined && state.status === 'error' && ASK_AGAIN_MS,
  });
  return data;
}

export function useUserCache() {
  const queryClient = useQueryClient();
  return {
    set: (user: User | null) => queryClient.setQueryData(PROFILE_KEY, user),
    patch: (change: Partial<User>) =>
      queryClient.setQueryData<User | null>(PROFILE_KEY, (user) => user && { ...user, ...change }),
    refresh: () => queryClient.invalidateQueries({ queryKey: PROFILE_KEY }),
    /** Drops what belongs to the user who just left. */
    dropPrivate: () => queryClient.removeQueries({ queryKey: ['own'] }),
  };
}

async function fetchUser(): Promise<User | null> {
  const result = await callApi(readProfile, {});
  if (!result.ok && result.error.httpStatus === 401) return null;
  return answerOrThrow(result).user;
}
