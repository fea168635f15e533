import { rejoinMatch } from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';
import { useCallback, useEffect, useRef, useState } from 'react';
import { callApi, describeApiFailure } from '../shared/api/call-api.ts';
import { entryRecord, readOpenPayment, SEAT_ITEMS } from '../shared/entry-record.ts';
import { useLobbyStore } from '../shared/stores/menu-stores.ts';
import { showToast } from '../ui/toast.tsx';

type Seat = { readonly lobbyId: string; readonly joinTicket: string };

/**
 * Back into a match whose body still waits: by itself after a reload of the tab that played, or when asked to.
 * `isReturning` is true until it is known whether there is such a match.
 */
export function useReturnToMatch(
  user: User | null | undefined,
  onReturn: (lobby: Lobby, joinTicket: string) => void,
) {
  const [wasPlaying, setWasPlaying] = useState(
    () => entryRecord.read('sessionId') !== undefined && !readOpenPayment(entryRecord),
  );
  const [seat, setSeat] = useState<Seat>();
  const lobby = useLobbyStore(({ lobbies }) => lobbies?.find(({ id }) => id === seat?.lobbyId));

  const returnToMatch = useCallback(async ({ isAsked }: { isAsked: boolean }) => {
    const answer = await callApi(rejoinMatch, {});
    if (answer.ok) setSeat(answer.value);
    else {
      entryRecord.remove(...SEAT_ITEMS);
      setWasPlaying(false);
      if (isAsked) showToast('danger', describeApiFailure(answer.error));
    }
  }, []);

  useEffect(() => {
    if (!wasPlaying || user === undefined) return;
    if (user) void returnToMatch({ isAsked: false });
    else setWasPlaying(false);
  }, [wasPlaying, user, returnToMatch]);

  const latest = useRef(onReturn);
  latest.current = onReturn;
  useEffect(() => {
    if (!seat || !lobby) return;
    setSeat(undefined);
    setWasPlaying(false);
    latest.current(lobby, seat.joinTicket);
  }, [seat, lobby]);

  return { isReturning: wasPlaying || seat !== undefined, returnToMatch };
}
