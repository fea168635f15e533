// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useLobbyStore } from '../shared/stores/menu-stores.ts';
import { aLobby, aUser } from '../testing/fixtures.ts';
import { render } from '../testing/page.ts';
import { useReturnToMatch } from './return-to-match.ts';

const fetchMock = vi.fn<typeof fetch>();
const onReturn = vi.fn();
const user = aUser();
const joinTicket = 'T'.repeat(43);
let isReturning: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetchMock);
  sessionStorage.setItem('sessionId', 's1');
  useLobbyStore.setState({ lobbies: [aLobby()] });
});

afterEach(() => {
  vi.clearAllMocks();
  vi.useRealTimers();
  sessionStorage.clear();
  localStorage.clear();
});

function Probe() {
  isReturning = useReturnToMatch(user, onReturn).isReturning;
  return null;
}

async function reload(afterMs = 0) {
  await render(<Probe />);
  await act(() => vi.advanceTimersByTimeAsync(afterMs));
}

const away = async () => new Response('', { status: 502 });
const crowded = async () => Response.json({ error: 'RATE_LIMITED', message: '' }, { status: 429 });
const seatOf = (sessionId: string) => async () =>
  Response.json({
    sessionId,
    lobbyId: 'mitosis',
    entryFee: '0',
    message: '',
    status: 'ticketSent',
    shouldPoll: false,
    joinTicket,
    baseGame: null,
  });

test('a tab that played returns to its match', async () => {
  fetchMock.mockImplementation(seatOf('s1'));
  await reload();
  expect(onReturn).toHaveBeenCalledExactlyOnceWith(aLobby(), joinTicket);
  expect(isReturning).toBe(false);
});

test('retries while the server cannot be reached, or the address is rate limited', async () => {
  fetchMock
    .mockImplementationOnce(away)
    .mockRejectedValueOnce(new TypeError('offline'))
    .mockImplementationOnce(crowded)
    .mockImplementation(seatOf('s1'));
  await reload(4_000);
  expect(onReturn).toHaveBeenCalledOnce();
});

test('gives up once the body is no longer in the arena', async () => {
  fetchMock.mockImplementation(away);
  await reload(9_000);
  expect(isReturning).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(isReturning).toBe(false);
  expect(sessionStorage.getItem('sessionId')).toBeNull();
});

test('leaves the match of another window alone', async () => {
  fetchMock.mockImplementation(seatOf('another'));
  await reload();
  expect(onReturn).not.toHaveBeenCalled();
  expect(isReturning).toBe(false);
});

test('does not wait for ever for a lobby that is not listed', async () => {
  useLobbyStore.setState({ lobbies: [aLobby({ id: 'other' })] });
  fetchMock.mockImplementation(seatOf('s1'));
  await reload(9_000);
  expect(isReturning).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(isReturning).toBe(false);
  expect(onReturn).not.toHaveBeenCalled();
});

test('a tab that waited for a payment continues with that instead', async () => {
  localStorage.setItem('lobbyId', 'mitosis');
  localStorage.setItem('paymentSessionId', 'p1');
  await reload();
  expect(isReturning).toBe(false);
  expect(fetchMock).not.toHaveBeenCalled();
});
