import { afterAll, beforeAll, expect, test } from 'vitest';
import { enter, messagesOf } from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { freeLobby, paidLobby } from '../../../testing/game/test-lobbies.ts';
import { ROOM_LIMITS } from '../limits.ts';

const { idleSeatSeconds, idleNoticeSeconds } = ROOM_LIMITS;
/** Nobody is eaten while nobody moves. */
const RULES = { ...QUICK_RULES, spawn: { ...QUICK_RULES.spawn, invulnerableSeconds: 3_600 } };

const full = freeLobby({ maxPlayers: 2 });
const roomy = freeLobby({ maxPlayers: 3 });
const paid = paidLobby({ maxPlayers: 2 });
let server: ArenaServer;

beforeAll(async () => {
  server = await startArenaServer([full, roomy, paid], RULES);
});
afterAll(() => server.stop());

type Client = Awaited<ReturnType<typeof enter>>['client'];

/** Lets seconds pass in which these players move. */
async function play(seconds: number, ...moving: Client[]): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    for (const client of moving) client.send('movement', { x: second % 2 ? 200 : -200, y: 0, seq: 0 });
    await server.play(1);
  }
}

test('in a full free lobby a player who does nothing is told, and then gives up the seat', async () => {
  const { client: active } = await enter(server, full);
  const { client: idle, seat } = await enter(server, full);
  await play(idleSeatSeconds - 2, active);
  expect(messagesOf(idle, 'serverMessage')).toEqual([]);
  await play(4, active);
  expect(messagesOf(idle, 'serverMessage')).toEqual([
    { message: `This lobby is full. Move within ${idleNoticeSeconds} seconds to keep your place.` },
  ]);
  await play(idleNoticeSeconds - 4, active);
  expect(idle.closeCode).toBeUndefined();
  await play(4, active);
  await server.until(() => expect(idle.closeCode).toBeDefined());
  await server.until(() => expect(server.ports.settled.has(seat.entryId)).toBe(true));
  expect(active.closeCode).toBeUndefined();
  expect(messagesOf(active, 'serverMessage')).toEqual([]);
});

test('in a lobby that has room, or one for money, everybody may rest', async () => {
  const resting: Client[] = [];
  for (const lobby of [roomy, roomy, paid, paid]) resting.push((await enter(server, lobby)).client);
  await play(idleSeatSeconds + idleNoticeSeconds + 5);
  for (const client of resting) {
    expect(client.closeCode).toBeUndefined();
    expect(messagesOf(client, 'serverMessage')).toEqual([]);
  }
});
