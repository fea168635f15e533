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
