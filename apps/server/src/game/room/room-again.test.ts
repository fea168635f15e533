import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  closeCodeOf,
  dropConnection,
  enter,
  joinWithTicket,
  leaveThroughPortal,
  messagesOf,
  sendSpawn,
} from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { issueTicket } from '../../../testing/game/memory-ports.ts';
import { connectRaw } from '../../../testing/game/raw-socket.ts';
import { paidLobby } from '../../../testing/game/test-lobbies.ts';
import { ROOM_LIMITS } from '../limits.ts';

/* Another game on the connection of the one before. */

const portals = { ...QUICK_RULES.portals, idleSeconds: 0.4, warningSeconds: 0.2, activeSeconds: 60 };
const lobby = paidLobby();
const other = paidLobby();
let server: ArenaServer;

beforeEach(async () => {
  server = await startArenaServer([lobby, other], { ...QUICK_RULES, portals });
});
afterEach(async () => {
  await server.stop();
  expect(server.ports.faults).toEqual([]);
});

/** A player who has left through a portal. */
async function finishedPlayer() {
  const { client, seat } = await enter(server, lobby);
  await leaveThroughPortal(server, client);
  const nextTicket = (where = lobby) => issueTicket(server.ports, where, undefined, seat.userId);
  return { client, nextTicket };
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

test('a player whose game is over plays again and again on the same connection, for its own time', async () => {
  const { client, nextTicket } = await finishedPlayer();
  for (const [where, game] of [
    [lobby, 2],
    [other, 3],
  ] as const) {
    await server.play(ROOM_LIMITS.gameOverViewSeconds + 1);
    const next = nextTicket(where);
    await client.joinAgain(where, next.ticket);
    expect(messagesOf(client, 'welcome').at(-1)).toMatchObject({
      player: { id: 0 },
      gameId: next.seat.entryId,
    });
    const states = client.stateTypes.length;
    sendSpawn(client);
    await leaveThroughPortal(server, client, game);
    expect(client.stateTypes[states]).toBe('gameUpdate');
    expect(server.ports.settled.get(next.seat.entryId)).toMatchObject({ kind: 'cashout' });
  }
  await server.play(ROOM_LIMITS.playAgainSeconds - 2);
  expect(client.closeCode).toBeUndefined();
});

test('a ticket that is not good is refused with its code, and the connection is closed', async () => {
  const { client, nextTicket } = await finishedPlayer();
  const elsewhere = nextTicket(other);
  await expect(client.joinAgain(lobby, elsewhere.ticket)).rejects.toThrow('JOIN_TICKET_INVALID');
  expect(await closeCodeOf(server, client)).toBe(CLOSE_CODES.refused);
  // It was not good here, and is still good there.
  await joinWithTicket(server, other, elsewhere.ticket);
});

test('a player who is still in the arena cannot take another seat, and keeps the body', async () => {
  const { client, seat } = await enter(server, lobby);
  const { id } = client.decoder.view.own!;
  const next = issueTicket(server.ports, lobby, undefined, seat.userId);
  const joining = client.joinAgain(lobby, next.ticket);
  await expect(joining).rejects.toThrow('INVALID_REQUEST');
  expect(server.ports.tickets.has(next.ticket)).toBe(true);
  await server.play(1);
  expect(client.closeCode).toBeUndefined();
  expect(client.decoder.view.own?.id).toBe(id);
});

test('a player whose line breaks while being seated has the seat, and is refunded without coming back', async () => {
  const { client, nextTicket } = await finishedPlayer();
  const goOn = holdTickets();
  const next = nextTicket();
  const joining = client.joinAgain(lobby, next.ticket);
  await server.play(0.2);
  await dropConnection(client);
  await expect(joining).rejects.toThrow('DISCONNECTED');
  goOn();
  await server.play(ROOM_LIMITS.spawnWithinSeconds + 2);
  expect(server.ports.settled.get(next.seat.entryId)).toMatchObject({ amount: next.seat.stake });
});

test('frames that are sent ahead with a join wait for it, also after a resume', async () => {
  const { client, nextTicket } = await finishedPlayer();
  const token = await dropConnection(client);
  const back = await connectRaw(server);
  const options = { type: 'player', lobbyId: lobby.id, joinTicket: nextTicket().ticket };
  const ping = { type: 'ping', id: 1, timestamp: 1 };
  const join = { type: 'join', room: 'agar_game', options };
  for (const message of [{ type: 'resume', token }, join, ping, ping]) back.send(JSON.stringify(message));
  await server.until(() =>
    expect(back.received.filter((frame) => String(frame).includes('"pong"'))).toHaveLength(2),
  );
  expect(back.closeCode).toBeUndefined();
  back.socket.terminate();
});
