import { ERRORS } from '@engulf/domain/errors/registry';
import { isEligible } from '@engulf/domain/ids/access-code';
import { enterRaffle, noteRaffleSeen, readRaffle } from '@engulf/protocol/http/social';
import type { User } from '@engulf/protocol/user';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { answerOrThrow, callApi } from '../../shared/api/call-api.ts';
import { showToast } from '../../ui/toast.tsx';

/** While an entry waits for its draw. */
const RESULT_EVERY_MS = 15_000;

/** The user's part in the raffle. `hasNews` is true for a winner who has not seen it. */
export function useRaffle(user: User | null, onWon: () => Promise<unknown>) {
  const isConcerned = user !== null && (!isEligible(user) || user.isRaffleWinner);
  const { data: raffle, refetch } = useQuery({
    queryKey: ['own', 'raffle', user?.id],
    queryFn: async () => answerOrThrow(await callApi(readRaffle, {})),
    enabled: isConcerned,
    refetchInterval: ({ state }) =>
      state.data?.entered && state.data.result === 'not_declared' ? RESULT_EVERY_MS : false,
  });
  const [isEntering, setEntering] = useState(false);
  const isWon = raffle?.result === 'won';
  const isUserOutdated = isWon && user !== null && !user.isRaffleWinner;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new win counts.
  useEffect(() => {
    if (isUserOutdated) void onWon();
  }, [isUserOutdated]);

  const enter = async () => {
    setEntering(true);
    const entered = await callApi(enterRaffle, {});
    setEntering(false);
    if (entered.ok) {
      showToast('profit', { title: entered.value.message });
    } else {
      const { title, text } = ERRORS.RAFFLE_ENTRY_FAILED;
      showToast('danger', { title, text: entered.error.message || text });
    }
    await refetch();
  };
  const noteSeen = async () => {
    await callApi(noteRaffleSeen, {});
    await refetch();
  };
  return { raffle, isEntering, hasNews: isWon && !raffle.isNotified, enter, noteSeen };
}

export type Raffle = ReturnType<typeof useRaffle>;
