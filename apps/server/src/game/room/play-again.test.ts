import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ROOM_LIMITS } from '../limits.ts';
import {
  closeCodeOf,
  dropConnection,
  enter,
  firstMessage,
  joinWithTicket,
  leaveThroughPortal,
  messagesOf,
  reconnect,
  sendSpawn,
  spectate,
} from '../testing/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../testing/arena-server.ts';
import { issueTicket } from '../testing/memory-ports.ts';
import { paidLobby } from '../testing/test-lobbies.ts';

const portals = { ...QUICK_RULES.portals, idleSeconds: 0.4, warningSeconds: 0.2, activeSeconds: 60 };
const lobby = paidLobby();
const other = paidLobby();
let server: ArenaServer;

beforeEach(async () => {
  server = await startArenaServer([lobby, other], { ...QUICK_RULES, portals });
});
afterEach(() => server.stop());

/** A player who has left through a portal. */
async function finishedPlayer() {
  const { client, seat } = await enter(server, lobby);
  await leaveThroughPortal(server, client);
  return { client, seat };
}

/** Holds back what the server says about tickets until it is told to go on. */
function holdTickets(): () => void {
  const waiting = Promise.withResolvers<void>();
  const { redeemTicket } = server.ports;
  vi.spyOn(server.ports, 'redeemTicket').mockImplementation(async (...asked) => {
    await waiting.promise;
    return redeemTicket(...asked);
  });
  return waiting.resolve;
}

test('a player whose game is over plays again and again on the same connection', async () => {
  const { client, seat } = await finishedPlayer();
  for (let game = 2; game <= 3; game++) {
    await server.play(ROOM_LIMITS.gameOverViewSeconds + 1);
    const next = issueTicket(server.ports, lobby, undefined, seat.userId);
    client.send('playAgain', { joinTicket: next.ticket });
    await server.until(() => expect(messagesOf(client, 'nextSeat')).toHaveLength(game - 1));
    expect(messagesOf(client, 'welcome').at(-1)).toMatchObject({ player: null, gameId: next.seat.entryId });
    const states = client.stateTypes.length;
    sendSpawn(client);
    await leaveThroughPortal(server, client, game);
    expect(client.stateTypes[states]).toBe('gameUpdate');
    expect(server.ports.settled.get(next.seat.entryId)).toMatchObject({ kind: 'cashout' });
  }
  expect(messagesOf(client, 'nextSeat')).toEqual([{ error: null }, { error: null }]);
  expect(client.closeCode).toBeUndefined();
  expect(server.ports.faults).toEqual([]);
});

test('a ticket that is not good is refused with its code, and another one may follow', async () => {
  const { client, seat } = await finishedPlayer();
  const elsewhere = issueTicket(server.ports, other, undefined, seat.userId);
  const { ticket } = issueTicket(server.ports, lobby, undefined, seat.userId);
  for (const [index, joinTicket] of ['forged', elsewhere.ticket, ticket].entries()) {
    client.send('playAgain', { joinTicket });
    await server.until(() => expect(messagesOf(client, 'nextSeat')).toHaveLength(index + 1));
  }
  const error = 'JOIN_TICKET_INVALID';
  expect(messagesOf(client, 'nextSeat')).toEqual([{ error }, { error }, { error: null }]);
  // It was not good here, and is still good there.
  await joinWithTicket(server, other, elsewhere.ticket);
});

test('a player who is still in the arena, or is being seated, cannot take another seat', async () => {
  const { client, seat } = await enter(server, lobby);
  const next = issueTicket(server.ports, lobby, undefined, seat.userId);
  client.send('playAgain', { joinTicket: next.ticket });
  await leaveThroughPortal(server, client);
  expect(messagesOf(client, 'nextSeat')).toEqual([]);
  expect(server.ports.tickets.has(next.ticket)).toBe(true);
  const goOn = holdTickets();
  const third = issueTicket(server.ports, lobby, undefined, seat.userId);
  client.send('playAgain', { joinTicket: next.ticket });
  client.send('playAgain', { joinTicket: third.ticket });
  await server.play(0.5);
  goOn();
  expect(await firstMessage(server, client, 'nextSeat')).toEqual({ error: null });
  expect(messagesOf(client, 'nextSeat')).toHaveLength(1);
  expect(server.ports.tickets.has(third.ticket)).toBe(true);
});

test('a player whose line breaks while being seated comes back into the new seat', async () => {
  const { client, seat } = await finishedPlayer();
  const goOn = holdTickets();
  const next = issueTicket(server.ports, lobby, undefined, seat.userId);
  client.send('playAgain', { joinTicket: next.ticket });
  await server.play(0.2);
  const token = await dropConnection(client);
  await server.play(0.2);
  goOn();
  await server.play(0.2);
  const back = await reconnect(server, client, token);
  expect(await firstMessage(server, back, 'welcome')).toMatchObject({ gameId: next.seat.entryId });
  sendSpawn(back);
  await leaveThroughPortal(server, back);
  expect(server.ports.settled.get(next.seat.entryId)).toMatchObject({ kind: 'cashout' });
});

test('one who does not come back is refunded', async () => {
  const { client, seat } = await finishedPlayer();
  const goOn = holdTickets();
  const next = issueTicket(server.ports, lobby, undefined, seat.userId);
  client.send('playAgain', { joinTicket: next.ticket });
  await server.play(0.2);
  await dropConnection(client);
  goOn();
  await server.play(ROOM_LIMITS.spawnWithinSeconds + 2);
  expect(server.ports.settled.get(next.seat.entryId)).toMatchObject({ amount: next.seat.stake });
});

test('a seat that cannot be given is refunded, and ends that visit only', async () => {
  const { client, seat } = await finishedPlayer();
  const watcher = await spectate(server, lobby);
  const next = issueTicket(server.ports, lobby, undefined, seat.userId);
  const { redeemTicket } = server.ports;
  vi.spyOn(server.ports, 'redeemTicket').mockImplementationOnce(async (...asked) => {
    const redeemed = await redeemTicket(...asked);
    // The next to ask is the gate of the new seat.
    vi.spyOn(server.clock, 'monotonicMs').mockImplementationOnce(() => {
      throw new Error('there is no time');
    });
    return redeemed;
  });
  client.send('playAgain', { joinTicket: next.ticket });
  const reason = 'Something went wrong. Please join again.';
  expect(await firstMessage(server, client, 'kicked')).toEqual({ reason });
  expect(await closeCodeOf(server, client)).toBe(4002);
  const { tick } = watcher.decoder.view;
  await server.play(ROOM_LIMITS.spawnWithinSeconds + 2);
  expect(server.ports.settled.get(next.seat.entryId)).toMatchObject({ amount: next.seat.stake });
  expect(watcher.decoder.view.tick).toBeGreaterThan(tick);
  expect(watcher.closeCode).toBeUndefined();
  expect(server.ports.faults).toEqual([]);
});

test('the next game does not end with the time of the one before', async () => {
  const { client, seat } = await finishedPlayer();
  const { ticket } = issueTicket(server.ports, lobby, undefined, seat.userId);
  client.send('playAgain', { joinTicket: ticket });
  await firstMessage(server, client, 'nextSeat');
  sendSpawn(client);
  await server.play(ROOM_LIMITS.playAgainSeconds + 2);
  expect(client.closeCode).toBeUndefined();
});
