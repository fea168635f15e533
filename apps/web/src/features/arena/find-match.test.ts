import { afterEach, expect, test, vi } from 'vitest';
import { aLobby } from '../../testing/fixtures.ts';
import { findMatch } from './find-match.ts';

const visit = { type: 'player', lobby: aLobby(), joinTicket: 'used' } as const;

function answer(lobbyId: string) {
  const seat = {
    sessionId: 's',
    lobbyId,
    entryFee: '0',
    message: '',
    status: 'ticketSent',
    shouldPoll: false,
  };
  const joinTicket = 'T'.repeat(43);
  vi.stubGlobal('fetch', async () => Response.json({ ...seat, joinTicket, baseGame: 'https://us.example' }));
  return joinTicket;
}

afterEach(() => vi.unstubAllGlobals());

test('the way back is a ticket and the address where the match is now', async () => {
  const joinTicket = answer(visit.lobby.id);
  expect(await findMatch(visit)).toEqual({
    ...visit,
    joinTicket,
    lobby: { ...visit.lobby, baseGame: 'https://us.example' },
  });
});

test('a match in another lobby is not the one that was lost', async () => {
  answer('another');
  expect(await findMatch(visit)).toBeUndefined();
});

test('a question that gets no answer is given up in time for another one', async () => {
  const fetching = vi.fn<typeof fetch>(() => Promise.reject(new Error('aborted')));
  vi.stubGlobal('fetch', fetching);
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  expect(await findMatch(visit)).toBeUndefined();
  expect(timeout).toHaveBeenCalledWith(2_000);
});
