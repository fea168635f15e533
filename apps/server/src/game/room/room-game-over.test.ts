import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOM_LIMITS } from '../limits.ts';
import {
  type ArenaClient,
  aimAt,
  closeCodeOf,
  enter,
  joinWithTicket,
  messagesOf,
} from '../testing/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../testing/arena-server.ts';
import { issueTicket } from '../testing/memory-ports.ts';
import { paidLobby } from '../testing/test-lobbies.ts';

const portals = { ...QUICK_RULES.portals, idleSeconds: 0.4, warningSeconds: 0.2, activeSeconds: 60 };
const CONSENTED = 4000;
const lobby = paidLobby();
const other = paidLobby();
let server: ArenaServer;

beforeEach(async () => {
  server = await startArenaServer([lobby, other], { ...QUICK_RULES, portals });
});
afterEach(() => server.stop());

/** Plays until the player has left through a portal. */
async function finish(client: ArenaClient): Promise<void> {
  await server.until(
    () => expect(messagesOf(client, 'gameOver')).toHaveLength(1),
    () => aimAt(client, client.decoder.view.portals[0]),
  );
}

test('a player sees the arena for a moment after the end of the game, then the connection is closed', async () => {
  const { client } = await enter(server, lobby);
  await enter(server, lobby);
  await finish(client);
  const { tick } = client.decoder.view;
  await server.play(1);
  expect(client.decoder.view.tick).toBeGreaterThan(tick);
  await server.play(ROOM_LIMITS.gameOverViewSeconds + 1);
  expect(client.closeCode).toBe(CONSENTED);
  expect(messagesOf(client, 'kicked')).toEqual([]);
  const seenTicks = (client.decoder.view.tick - tick) / QUICK_RULES.stepsPerSecond;
  expect(seenTicks).toBeLessThanOrEqual(ROOM_LIMITS.gameOverViewSeconds + 1);
});

test.each([
  ['in the same lobby', lobby],
  ['in another lobby', other],
])('a player who takes a seat %s no longer watches through the old connection', async (_name, next) => {
  const { client, seat } = await enter(server, lobby);
  await finish(client);
  const { ticket } = issueTicket(server.ports, next, undefined, seat.userId);
  const { tick } = client.decoder.view;
  await joinWithTicket(server, next, ticket);
  expect(await closeCodeOf(server, client)).toBe(CONSENTED);
  expect(client.decoder.view.tick).toBeLessThanOrEqual(tick + 2);
});

test('a player who still plays keeps the connection when somebody else takes a seat', async () => {
  const { client } = await enter(server, lobby);
  await enter(server, other);
  await server.play(1);
  expect(client.closeCode).toBeUndefined();
});
