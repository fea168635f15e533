import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  aimAt,
  enter,
  feedOf,
  firstMessage,
  join,
  joinWithTicket,
  messagesOf,
  spectate,
} from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { issueTicket } from '../../../testing/game/memory-ports.ts';
import { freeLobby } from '../../../testing/game/test-lobbies.ts';

const meadow = freeLobby();
const pond = freeLobby();
const botLobby = freeLobby({ botCount: 4 });
const locked = freeLobby({ isLocked: true });
let server: ArenaServer;

beforeAll(async () => {
  server = await startArenaServer([meadow, pond, botLobby, locked], {
    ...QUICK_RULES,
    food: { ...QUICK_RULES.food, count: 100 },
    bots: { ...QUICK_RULES.bots, joinEverySeconds: 0.04 },
  });
});
afterAll(() => server.stop());

describe('a player', () => {
  test('joins, spawns, moves and eats', async () => {
    const { client, seat } = await enter(server, meadow);
    const { view } = client.decoder;
    const [first, second] = messagesOf(client, 'welcome');
    expect(first).toMatchObject({
      player: { id: 0, name: seat.name, massTotal: 0, reward: '1.00(x1.00)' },
      isFreeLobby: true,
      ticksPerSecond: 25,
      tokenSymbol: 'USD',
    });
    expect(second!.player).toMatchObject({ id: view.own!.id, name: seat.name, massTotal: 40 });
    expect(view.own).toMatchObject({ name: seat.name, isBot: false, reward: '1.00(x1.00)' });
    const { x, y, mass } = view.primary!;
    await server.until(
      () => {
        expect(view.primary!.mass).toBeGreaterThan(mass + 4);
        expect(Math.hypot(view.primary!.x - x, view.primary!.y - y)).toBeGreaterThan(20);
      },
      () => aimAt(client, [...view.food.values()][0]),
    );
    expect(client.stateTypes[0]).toBe('gameUpdate');
    expect(new Set(client.stateTypes.slice(1))).toEqual(new Set(['deltaUpdate']));
    await client.leave();
  });

  test('sees another player, and both get the standings', async () => {
    const [one, two] = [await enter(server, meadow), await enter(server, meadow)];
    await server.until(
      () => {
        const names = [...one.client.decoder.view.players.values()].map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining([one.seat.name, two.seat.name]));
      },
      () => {
        for (const { client } of [one, two]) aimAt(client, { x: 500, y: 500 });
      },
    );
    await server.until(() => {
      const { leaderboard, totalPlayers } = messagesOf(two.client, 'leaderboard').at(-1)!;
      expect(leaderboard.map(({ name }) => name)).toEqual(
        expect.arrayContaining([one.seat.name, two.seat.name]),
      );
      expect(totalPlayers).toBeGreaterThanOrEqual(2);
    });
    expect((await firstMessage(server, two.client, 'personalRank')).reward).toBe('1.00(x1.00)');
    await server.until(() =>
      expect(messagesOf(one.client, 'playerJoin').map(({ name }) => name)).toContain(two.seat.name),
    );
    await server.until(() =>
      expect(feedOf(two.client)).toContainEqual(
        expect.objectContaining({ type: 'join', playerName: one.seat.name }),
      ),
    );
    await Promise.all([one.client.leave(), two.client.leave()]);
  });

  test('splits', async () => {
    const { client } = await enter(server, pond);
    client.send('split', { seq: 0 });
    await server.until(() => expect(client.decoder.view.own!.cells).toHaveLength(2));
    await client.leave();
  });

  test('ejects mass', async () => {
    const { client } = await enter(server, pond);
    const { view } = client.decoder;
    // Towards the middle: against the border it would fall back into the cell.
    client.send('movement', { x: 500 - view.primary!.x, y: 500 - view.primary!.y, seq: 0 });
    client.send('ejectMass', { seq: 0 });
    await server.until(() => expect(view.bodies.some(({ kind }) => kind === 'massFood')).toBe(true));
    await client.leave();
  });

  test('is told which of its inputs the view includes', async () => {
    const { client } = await enter(server, pond);
    const { view } = client.decoder;
    expect(view.acknowledged).toBe(0);
    client.send('movement', { x: 10, y: 0, seq: 1 });
    client.send('split', { seq: 2 });
    await server.until(() => expect(view.acknowledged).toBe(2));
    expect(view.own!.cells).toHaveLength(2);
    client.send('movement', { x: 20, y: 0, seq: 200 });
    await server.until(() => expect(view.acknowledged).toBe(200));
    client.send('fullUpdate');
    client.stateTypes.length = 0;
    await server.until(() => expect(client.stateTypes).toContain('gameUpdate'));
    expect(view.acknowledged).toBe(200);
    await client.leave();
  });

  test('gets a full snapshot and a pong on request', async () => {
    const { client } = await enter(server, meadow);
    client.stateTypes.length = 0;
    client.send('fullUpdate');
    client.send('ping', { id: 7, timestamp: 1, data: 'x'.repeat(100) });
    await server.until(() => expect(client.stateTypes).toContain('gameUpdate'));
    expect(await firstMessage(server, client, 'pong')).toEqual({ id: 7 });
    await client.leave();
  });
});

describe('joining', () => {
  test('refuses a ticket that is forged, used or for another lobby', async () => {
    await expect(joinWithTicket(server, meadow, 'forged')).rejects.toThrow('JOIN_TICKET_INVALID');
    const { ticket } = issueTicket(server.ports, meadow);
    await expect(joinWithTicket(server, botLobby, ticket)).rejects.toThrow('JOIN_TICKET_INVALID');
    const client = await joinWithTicket(server, meadow, ticket);
    await expect(joinWithTicket(server, meadow, ticket)).rejects.toThrow('JOIN_TICKET_INVALID');
    await client.leave();
  });

  test.each([
    ['an unknown role', { type: 'ghost' }, 'INVALID_REQUEST'],
    ['an unknown lobby', { lobbyId: 'nowhere' }, 'LOBBY_NOT_FOUND'],
    ['a lobby that is closed', { lobbyId: locked.id }, 'LOBBY_CLOSED'],
  ])('refuses %s', async (_name, changes, code) => {
    const { ticket } = issueTicket(server.ports, meadow);
    const options = { type: 'player', lobbyId: meadow.id, joinTicket: ticket };
    await expect(join(server, { ...options, ...changes })).rejects.toThrow(code);
    expect(server.ports.tickets.has(ticket)).toBe(true);
  });

  test('ignores options that it does not know', async () => {
    const { ticket } = issueTicket(server.ports, meadow);
    const options = { type: 'player', lobbyId: meadow.id, joinTicket: ticket, lobbyCode: 'abc' };
    const client = await join(server, { ...options, isAdmin: true });
    expect(messagesOf(client, 'welcome')[0]!.player.admin).toBe(false);
    await client.leave();
  });
});

describe('a spectator', () => {
  test('must be signed in', async () => {
    await expect(spectate(server, meadow, 'engulf_session=forged')).rejects.toThrow('SPECTATE_NEEDS_WALLET');
  });

  test('sees everyone and cannot spawn', async () => {
    const { client: player, seat } = await enter(server, meadow);
    const watcher = await spectate(server, meadow);
    const { view } = watcher.decoder;
    await server.until(() => {
      const names = view.bodies.map(({ player }) => player?.name);
      expect(names).toContain(seat.name);
    });
    expect(view.food.size).toBeGreaterThan(50);
    watcher.send('spawn', { name: 'sneaky', screenWidth: 800, screenHeight: 600 });
    const late = await spectate(server, meadow);
    await server.until(() => expect(late.decoder.view.bodies.length).toBeGreaterThan(0));
    await server.until(() => expect(watcher.stateTypes).toContain('spectatorDeltaUpdate'));
    expect(view.own).toBeUndefined();
    expect(watcher.decoder.isLost).toBe(false);
    await Promise.all([player.leave(), watcher.leave(), late.leave()]);
  });
});

test('bots keep a free lobby alive and are marked as bots', async () => {
  const watcher = await spectate(server, botLobby);
  const { view } = watcher.decoder;
  await server.until(() => {
    const bots = new Set(view.bodies.filter(({ player }) => player?.isBot).map(({ player }) => player!.name));
    expect(bots.size).toBe(4);
  });
  await server.until(() => expect(messagesOf(watcher, 'leaderboard').at(-1)!.totalPlayers).toBe(4));
  expect(server.ports.live.get(botLobby.id)).toMatchObject({ totalPlayers: 0, totalBots: 4 });
  expect(messagesOf(watcher, 'leaderboard').at(-1)!.totalBots).toBe(4);
  await watcher.leave();
});

test('masses change all the time, but a free lobby sends them every two seconds', async () => {
  const watcher = await spectate(server, botLobby);
  await server.until(() => expect(messagesOf(watcher, 'leaderboard').length).toBeGreaterThan(0));
  const before = messagesOf(watcher, 'leaderboard').length;
  await server.play(12);
  const sent = messagesOf(watcher, 'leaderboard').length - before;
  expect(sent).toBeGreaterThan(2);
  expect(sent).toBeLessThan(8);
  await watcher.leave();
});

test('a lobby reports its players and its pool every second', async () => {
  const { client } = await enter(server, meadow);
  await server.until(() => expect(server.ports.live.get(meadow.id)!.totalPlayers).toBeGreaterThan(0));
  expect(server.ports.live.get(meadow.id)!.poolTotal).toBeGreaterThanOrEqual(1_000_000n);
  await client.leave();
});
