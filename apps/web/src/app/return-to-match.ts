import { describeFailure, failure } from '@engulf/domain/errors/registry';
import { rejoinMatch } from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';
import { useCallback, useEffect, useRef, useState } from 'react';
import { callApi, describeApiFailure, isUnanswered } from '../shared/api/call-api.ts';
import { entryRecord, readOpenPayment, SEAT_ITEMS } from '../shared/entry-record.ts';
import { useLobbyStore } from '../shared/stores/menu-stores.ts';
import { showToast } from '../ui/toast.tsx';

type Seat = { readonly lobbyId: string; readonly joinTicket: string };

/** How long a body without a connection stays in the arena. */
const BODY_WAITS_MS = 10_000;
const ASK_AGAIN_MS = 1_000;

/**
 * Returns to a match in which the player's body is still waiting: automatically after a reload of the tab that played, or
 * on request. `isReturning` is true until it is known whether there is such a match.
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

  const giveUp = useCallback((notice?: { title: string; text: string }) => {
    entryRecord.remove(...SEAT_ITEMS);
    setSeat(undefined);
    setWasPlaying(false);
    if (notice) showToast('danger', notice);
  }, []);

  const returnToMatch = useCallback(
    async ({ isAsked }: { isAsked: boolean }) => {
      const own = entryRecord.read('sessionId');
      const answer = await askForMatch();
      if (!answer.ok) return giveUp(isAsked ? describeApiFailure(answer.error) : undefined);
      const { sessionId, lobbyId } = answer.value;
      // Another window plays: it is only taken over on request.
      if (!isAsked && sessionId !== own) return giveUp();
      entryRecord.write('sessionId', sessionId);
      entryRecord.write('lobbyId', lobbyId);
      setSeat(answer.value);
    },
    [giveUp],
  );

  const isSignedIn = user === undefined ? undefined : user !== null;
  useEffect(() => {
    if (!wasPlaying || isSignedIn === undefined) return;
    if (isSignedIn) void returnToMatch({ isAsked: false });
    else setWasPlaying(false);
  }, [wasPlaying, isSignedIn, returnToMatch]);

  const latest = useRef(onReturn);
  latest.current = onReturn;
  useEffect(() => {
    if (!seat) return;
    if (lobby) {
      setSeat(undefined);
      setWasPlaying(false);
      latest.current(lobby, seat.joinTicket);
      return;
    }
    const timer = setTimeout(() => giveUp(describeFailure(failure('LOBBY_OFFLINE'))), BODY_WAITS_MS);
    return () => clearTimeout(timer);
  }, [seat, lobby, giveUp]);

  return { isReturning: wasPlaying || seat !== undefined, returnToMatch };
}

/** Retries while the server cannot be reached and the body may still be waiting. */
async function askForMatch() {
  const untilMs = Date.now() + BODY_WAITS_MS;
  for (;;) {
    const answer = await callApi(rejoinMatch, {});
    if (answer.ok || !isUnanswered(answer.error) || Date.now() >= untilMs) return answer;
    await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
  }
}
