import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { enter, firstMessage, joinWithTicket, messagesOf } from '../testing/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../testing/arena-server.ts';
import { issueTicket, paidLobby } from '../testing/memory-ports.ts';

let server: ArenaServer;

afterEach(async () => {
  await server.stop();
  expect(server.ports.faults).toEqual([]);
});

const iso = (atMs: number) => new Date(atMs).toISOString();

test('closing time: announced, portals open, everybody gets the bounty back, and open again later', async () => {
  const nowMs = Date.now();
  const lobby = paidLobby({
    dailyOpenWindows: [
      { startUtc: iso(nowMs - 60_000), endUtc: iso(nowMs + 5_000) },
      { startUtc: iso(nowMs + 8_000), endUtc: iso(nowMs + 3_600_000) },
    ],
  });
  server = await startArenaServer([lobby], QUICK_RULES);
  const { client, seat } = await enter(server, lobby);
  await vi.waitFor(() => {
    const types = messagesOf(client, 'liveUpdate').map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['lobby_opened', 'lobby_closing']));
  }, 5_000);
  const { view } = client.decoder;
  await vi.waitFor(() => expect(view.portalPhase).toBe('active'), 5_000);
  const over = await firstMessage(client, 'gameOver', 8_000);
  expect(over).toMatchObject({ cause: 'closed', stats: { reward: '0.050(x1.00)' } });
  expect(Date.now() - nowMs).toBeGreaterThanOrEqual(4_900);
  await vi.waitFor(() => expect(client.closeCode).toBe(4000), 5_000);
  expect(messagesOf(client, 'liveUpdate').map(({ type }) => type)).toContain('lobby_closed');
  expect(server.ports.settled.get(seat.entryId)).toMatchObject({ kind: 'closed', amount: 50_000_000n });
  expect(server.ports.matches).toHaveLength(1);

  const { ticket } = issueTicket(server.ports, lobby);
  await expect(joinWithTicket(server, lobby, ticket)).rejects.toThrow('LOBBY_CLOSED');
  await sleep(Math.max(0, nowMs + 10_500 - Date.now()));
  const again = await joinWithTicket(server, lobby, ticket);
  expect(await firstMessage(again, 'welcome')).toMatchObject({ player: null });
});

test('shutting down: everybody gets the bounty back before the connection closes', async () => {
  const lobby = paidLobby();
  server = await startArenaServer([lobby], QUICK_RULES);
  const { client, seat } = await enter(server, lobby);
  await server.game.close();
  expect(server.ports.settled.get(seat.entryId)).toMatchObject({ kind: 'closed', amount: 50_000_000n });
  await vi.waitFor(() => expect(client.closeCode).toBe(4001), 5_000);
  expect(messagesOf(client, 'gameOver')).toMatchObject([{ cause: 'closed' }]);
  expect(server.ports.matches).toHaveLength(1);
  const { ticket } = issueTicket(server.ports, lobby);
  await expect(joinWithTicket(server, lobby, ticket)).rejects.toThrow('LOBBY_OFFLINE');
});

test('a locked lobby is drained, a new one is opened', async () => {
  const [old, fresh] = [paidLobby(), paidLobby()];
  server = await startArenaServer([old], QUICK_RULES);
  const { client } = await enter(server, old);
  server.ports.lobbies = [{ ...old, isLocked: true }, fresh];
  await vi.waitFor(
    () =>
      expect(messagesOf(client, 'liveUpdate')).toContainEqual(
        expect.objectContaining({ type: 'lobby_closing', minutesRemaining: 2 }),
      ),
    5_000,
  );
  const { client: second } = await enter(server, fresh);
  expect(second.decoder.view.own).toBeDefined();
});
