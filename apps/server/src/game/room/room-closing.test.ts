import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { afterEach, expect, test } from 'vitest';
import {
  closeCodeOf,
  enter,
  feedOf,
  firstMessage,
  joinWithTicket,
  messagesOf,
} from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { createManualClock } from '../../../testing/game/manual-clock.ts';
import { issueTicket } from '../../../testing/game/memory-ports.ts';
import { paidLobby } from '../../../testing/game/test-lobbies.ts';
import { ROOM_LIMITS } from '../limits.ts';

let server: ArenaServer;

afterEach(async () => {
  await server.stop();
  expect(server.ports.faults).toEqual([]);
});

const iso = (atMs: number) => new Date(atMs).toISOString();

test('at closing time a lobby announces it, opens portals, returns all bounties, and reopens later', async () => {
  const nowMs = createManualClock().nowMs();
  const lobby = paidLobby({
    dailyOpenWindows: [
      { startUtc: iso(nowMs - 60_000), endUtc: iso(nowMs + 5_000) },
      { startUtc: iso(nowMs + 8_000), endUtc: iso(nowMs + 3_600_000) },
    ],
  });
  server = await startArenaServer([lobby], QUICK_RULES);
  const { client, seat } = await enter(server, lobby);
  const feed = () => feedOf(client).map(({ type }) => type);
  await server.until(() => expect(feed()).toEqual(expect.arrayContaining(['lobby_opened', 'lobby_closing'])));
  await server.until(() => expect(client.decoder.view.portalPhase).toBe('active'));
  const over = await firstMessage(server, client, 'gameOver');
  expect(over).toMatchObject({ cause: 'closed', stats: { reward: '0.050(x1.00)' } });
  expect(server.clock.nowMs() - nowMs).toBeGreaterThanOrEqual(4_900);
  expect(await closeCodeOf(server, client)).toBe(4000);
  expect(feed()).toContain('lobby_closed');
  expect(server.ports.settled.get(seat.entryId)).toMatchObject({ kind: 'closed', amount: 50_000_000n });
  expect(server.ports.matches).toHaveLength(1);

  const { ticket } = issueTicket(server.ports, lobby);
  await expect(joinWithTicket(server, lobby, ticket)).rejects.toThrow('LOBBY_CLOSED');
  await server.until(() => server.clock.nowMs() > nowMs + 10_500);
  const again = await joinWithTicket(server, lobby, ticket);
  expect(await firstMessage(server, again, 'welcome')).toMatchObject({ player: { id: 0 } });
});

test('on shutdown every bounty is returned before the connections close', async () => {
  const lobby = paidLobby();
  server = await startArenaServer([lobby], QUICK_RULES);
  const { client, seat } = await enter(server, lobby);
  await server.game.close();
  expect(server.ports.settled.get(seat.entryId)).toMatchObject({ kind: 'closed', amount: 50_000_000n });
  expect(await closeCodeOf(server, client)).toBe(4001);
  expect(messagesOf(client, 'gameOver')).toMatchObject([{ cause: 'closed' }]);
  expect(server.ports.matches).toHaveLength(1);
  const { ticket } = issueTicket(server.ports, lobby);
  await expect(joinWithTicket(server, lobby, ticket)).rejects.toThrow('LOBBY_OFFLINE');
});

test('a lobby that is locked announces its closing, and a new lobby opens', async () => {
  const [old, fresh] = [paidLobby(), paidLobby()];
  server = await startArenaServer([old], QUICK_RULES);
  const { client } = await enter(server, old);
  server.ports.lobbies = [{ ...old, isLocked: true }, fresh];
  await server.until(() =>
    expect(feedOf(client)).toContainEqual(
      expect.objectContaining({ type: 'lobby_closing', minutesRemaining: 2 }),
    ),
  );
  const { client: second } = await enter(server, fresh);
  expect(second.decoder.view.own).toBeDefined();
});

test('a lobby that is drained announces its closing ahead, and stays closed', async () => {
  const lobby = paidLobby();
  server = await startArenaServer([lobby], QUICK_RULES);
  const { client, seat } = await enter(server, lobby);
  server.ports.lobbies = [{ ...lobby, drainsAtMs: server.clock.nowMs() + 5_000 }];
  await server.until(() =>
    expect(feedOf(client)).toContainEqual(expect.objectContaining({ type: 'lobby_closing' })),
  );
  await firstMessage(server, client, 'gameOver');
  expect(server.ports.settled.get(seat.entryId)).toMatchObject({ kind: 'closed', amount: 50_000_000n });
  await server.play(ROOM_LIMITS.lobbyCheckMs / 1000);
  const { ticket } = issueTicket(server.ports, lobby);
  await expect(joinWithTicket(server, lobby, ticket)).rejects.toThrow('LOBBY_CLOSED');
});

test('a lobby that another process runs gets no room until its lease is free', async () => {
  const lobby = paidLobby();
  server = await startArenaServer([], QUICK_RULES);
  server.ports.leasedElsewhere.add(lobby.id);
  server.ports.lobbies = [lobby];
  await server.play(ROOM_LIMITS.lobbyCheckMs / 1000);
  const { ticket } = issueTicket(server.ports, lobby);
  await expect(joinWithTicket(server, lobby, ticket)).rejects.toThrow('LOBBY_OFFLINE');
  server.ports.leasedElsewhere.clear();
  await server.play(ROOM_LIMITS.lobbyCheckMs / 1000);
  const client = await joinWithTicket(server, lobby, ticket);
  expect(await firstMessage(server, client, 'welcome')).toMatchObject({ player: { id: 0 } });
});

test('a lobby stays offline until the block that its match depends on is there', async () => {
  const lobby = paidLobby();
  server = await startArenaServer([], QUICK_RULES);
  server.ports.isBlockMissing = true;
  server.ports.lobbies = [lobby];
  await server.play(ROOM_LIMITS.lobbyCheckMs / 1000);
  const { ticket } = issueTicket(server.ports, lobby);
  await expect(joinWithTicket(server, lobby, ticket)).rejects.toThrow('LOBBY_OFFLINE');
  server.ports.isBlockMissing = false;
  await server.play(ROOM_LIMITS.preparingCheckMs / 1000 + 0.1);
  const client = await joinWithTicket(server, lobby, ticket);
  expect(await firstMessage(server, client, 'welcome')).toMatchObject({ player: { id: 0 } });
});

test('a lobby that is locked while its match is being prepared gives its lease back, and opens when it is unlocked', async () => {
  const lobby = paidLobby();
  server = await startArenaServer([], QUICK_RULES);
  const released: LobbyId[] = [];
  server.ports.releaseLease = async (id) => void released.push(id);
  server.ports.isBlockMissing = true;
  server.ports.lobbies = [lobby];
  await server.play((2 * ROOM_LIMITS.lobbyCheckMs) / 1000);
  expect(released).toEqual([]);
  server.ports.lobbies = [{ ...lobby, isLocked: true }];
  await server.play((2 * ROOM_LIMITS.lobbyCheckMs) / 1000);
  expect(released).toEqual([lobby.id]);
  server.ports.isBlockMissing = false;
  server.ports.lobbies = [lobby];
  await server.play((2 * ROOM_LIMITS.lobbyCheckMs) / 1000);
  const { client } = await enter(server, lobby);
  expect(client.decoder.view.own).toBeDefined();
  expect(released).toEqual([lobby.id]);
});

test('a lease is kept until whoever was being let in when the match ended is refunded', async () => {
  const lobby = paidLobby();
  server = await startArenaServer([lobby], QUICK_RULES);
  const order: string[] = [];
  const { redeemTicket, releaseLease, settleEntry } = server.ports;
  const slow = Promise.withResolvers<void>();
  let isTrading = false;
  server.ports.redeemTicket = async (...parameters) => {
    const seat = await redeemTicket(...parameters);
    isTrading = true;
    await slow.promise;
    return seat;
  };
  server.ports.settleEntry = (id, entryId, outcome) => {
    order.push(outcome.kind);
    return settleEntry(id, entryId, outcome);
  };
  server.ports.releaseLease = (id) => {
    order.push('released');
    return releaseLease(id);
  };
  const { ticket } = issueTicket(server.ports, lobby);
  const joining = expect(joinWithTicket(server, lobby, ticket)).rejects.toThrow('LOBBY_CLOSED');
  await server.until(() => isTrading);
  const closing = server.game.close();
  await server.until(() => server.ports.matches.length === 1);
  slow.resolve();
  await server.until(() => expect(order).toEqual(['closed', 'released']));
  await joining;
  await closing;
});
