import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  aimAt,
  closeCodeOf,
  dropConnection,
  enter,
  firstMessage,
  joinWithTicket,
  leaveThroughPortal,
  messagesOf,
  resume,
} from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { issueTicket } from '../../../testing/game/memory-ports.ts';
import { paidLobby } from '../../../testing/game/test-lobbies.ts';
import { ROOM_LIMITS } from '../limits.ts';

const portals = { ...QUICK_RULES.portals, idleSeconds: 0.4, warningSeconds: 0.2, activeSeconds: 60 };
const lobby = paidLobby();
const other = paidLobby();
let server: ArenaServer;

beforeEach(async () => {
  server = await startArenaServer([lobby, other], { ...QUICK_RULES, portals });
});
afterEach(() => server.stop());

test('a player sees the arena for a moment after the end of the game, and later the connection is closed', async () => {
  const { client } = await enter(server, lobby);
  await enter(server, lobby);
  await leaveThroughPortal(server, client);
  const { tick } = client.decoder.view;
  await server.play(1);
  expect(client.decoder.view.tick).toBeGreaterThan(tick);
  await server.play(ROOM_LIMITS.gameOverViewSeconds + 1);
  expect(client.closeCode).toBeUndefined();
  const seen = client.stateTypes.length;
  await server.play(ROOM_LIMITS.playAgainSeconds - ROOM_LIMITS.gameOverViewSeconds);
  expect(client.closeCode).toBe(CLOSE_CODES.left);
  expect(client.stateTypes).toHaveLength(seen);
  expect(messagesOf(client, 'kicked')).toEqual([]);
  const seenTicks = (client.decoder.view.tick - tick) / QUICK_RULES.stepsPerSecond;
  expect(seenTicks).toBeLessThanOrEqual(ROOM_LIMITS.gameOverViewSeconds + 1);
});

test.each([
  ['in the same lobby', lobby],
  ['in another lobby', other],
])('a player who takes a seat %s no longer watches through the old connection', async (_name, next) => {
  const { client, seat } = await enter(server, lobby);
  await leaveThroughPortal(server, client);
  const { ticket } = issueTicket(server.ports, next, undefined, seat.userId);
  const { tick } = client.decoder.view;
  await joinWithTicket(server, next, ticket);
  expect(await closeCodeOf(server, client)).toBe(CLOSE_CODES.left);
  expect(client.decoder.view.tick).toBeLessThanOrEqual(tick + 2);
});

test('a player who still plays keeps the connection when somebody else takes a seat', async () => {
  const { client } = await enter(server, lobby);
  await enter(server, other);
  await server.play(1);
  expect(client.closeCode).toBeUndefined();
});

describe('a player whose line breaks while the result is being saved', () => {
  /** Goes through a portal. The result is not saved before `save` is called. */
  async function leaveUnsaved() {
    const { client, seat } = await enter(server, lobby);
    const saving = Promise.withResolvers<void>();
    const { settleEntry } = server.ports;
    const settled = vi.spyOn(server.ports, 'settleEntry').mockImplementation(async (...settlement) => {
      await saving.promise;
      return settleEntry(...settlement);
    });
    await server.until(
      () => expect(settled).toHaveBeenCalledOnce(),
      () => aimAt(client, client.decoder.view.portals[0]),
    );
    return { client, seat, save: saving.resolve };
  }

  test('is told the result on coming back', async () => {
    const { client, save } = await leaveUnsaved();
    const token = await dropConnection(client);
    await server.play(QUICK_RULES.departure.graceSeconds + 1);
    const back = await resume(server, token);
    save();
    expect(await firstMessage(server, back, 'gameOver')).toMatchObject({ cause: 'portal' });
  });

  test('is told the result on coming back with a ticket', async () => {
    const { client, seat, save } = await leaveUnsaved();
    await dropConnection(client);
    const { ticket } = issueTicket(server.ports, lobby, seat.entryId);
    const back = await joinWithTicket(server, lobby, ticket);
    save();
    expect(await firstMessage(server, back, 'gameOver')).toMatchObject({ cause: 'portal' });
    expect(back.stateTypes).toEqual([]);
  });

  test('cannot come back a minute later', async () => {
    const { client, save } = await leaveUnsaved();
    const token = await dropConnection(client);
    save();
    await server.play(0.5);
    server.clock.advance((ROOM_LIMITS.finishedKnownSeconds + 1) * 1000);
    await expect(resume(server, token)).rejects.toThrow();
  });
});
