import { ClientState, type Client as ServerClient } from '@colyseus/core';
import { Client, type Room } from '@colyseus/sdk';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import { standardRules } from '@engulf/sim/rules';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ROOM_LIMITS } from '../limits.ts';
import { connectionOf } from '../sockets/transport.ts';
import { dropConnection } from '../testing/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../testing/arena-server.ts';
import { issueTicket, newWatcherCookie } from '../testing/memory-ports.ts';
import { freeLobby } from '../testing/test-lobbies.ts';

/* Clients that know nothing of our wire but the names of the messages and their fields. */

type Entity = { id: number; x: number; y: number };
type Own = Entity & { name: string; massTotal: number; cells: Entity[]; reward: string };
type Group = { add: Entity[]; update: Entity[]; remove: number[] };
type State = { type: string; player: Own | null; players: Entity[] } & Record<string, unknown>;
type Delta = { type: string; player: Own | null; players: Group; food: Group };

const lobby = freeLobby();
let server: ArenaServer;

beforeAll(async () => {
  const food = { ...standardRules.food, count: 100 };
  const viruses = { ...standardRules.viruses, count: 2 };
  server = await startArenaServer([lobby], { ...QUICK_RULES, food, viruses });
});
afterAll(() => server.stop());

async function listenTo(room: Room) {
  const received: { type: string | number; payload: unknown }[] = [];
  room.reconnection.enabled = false;
  room.onMessage('*', (type, payload) => {
    received.push({ type, payload });
  });
  const of = <Payload>(type: string) =>
    received.filter((message) => message.type === type).map(({ payload }) => payload as Payload);
  return { room, received, of };
}

async function joinPlainly(method: 'join' | 'joinOrCreate' = 'join') {
  const { ticket, seat } = issueTicket(server.ports, lobby);
  const names = { playerName: seat.name, userId: seat.userId, playerId: seat.userId };
  const options = { type: 'player', ...names, lobbyId: lobby.id, joinTicket: ticket };
  const client = await listenTo(await new Client(server.url)[method](ROOM_NAME, options));
  return { ...client, seat };
}

async function play(method?: 'join' | 'joinOrCreate') {
  const client = await joinPlainly(method);
  client.room.send('spawn', { name: client.seat.name, screenWidth: 1920, screenHeight: 1080 });
  await server.until(() => client.of<State>('gameUpdate').some(({ player }) => player));
  return client;
}

async function comeBack({ roomId, sessionId }: Room, token: string) {
  const reconnectionToken = token.split(':')[1]!;
  const seat = { name: ROOM_NAME, roomId, sessionId, processId: 'any', reconnectionToken };
  return listenTo(await new Client(server.url).consumeSeatReservation(seat));
}

async function watch() {
  const sdk = new Client(server.url, { headers: { cookie: newWatcherCookie() } });
  return listenTo(await sdk.join(ROOM_NAME, { type: 'spectator', lobbyId: lobby.id }));
}

test('a client that knows the names only is welcomed and shown the arena as objects', async () => {
  const { room, of, seat } = await play('joinOrCreate');
  expect(of('welcome').at(-1)).toMatchObject({ player: { name: seat.name } });
  const state = of<State>('gameUpdate').find(({ player }) => player)!;
  expect(Object.keys(state).sort()).toEqual(
    'allPortals food massFood player players portalTiming portals type viruses'.split(' '),
  );
  expect(state.type).toBe('full');
  expect(state.player).toEqual({
    id: expect.any(Number),
    name: seat.name,
    x: expect.any(Number),
    y: expect.any(Number),
    massTotal: expect.closeTo(45, -1),
    hue: expect.any(Number),
    color: expect.stringMatching(/^hsl\(\d+, 100%, 60%\)$/),
    admin: false,
    avatarUrl: null,
    reward: '1.000(x1.00)',
    isInvulnerable: expect.any(Boolean),
    invulnerabilityTimeRemaining: expect.any(Number),
    cells: [
      {
        id: expect.any(Number),
        x: expect.any(Number),
        y: expect.any(Number),
        mass: expect.closeTo(45, -1),
        radius: expect.closeTo(66, -1),
        isPrimary: true,
      },
    ],
  });
  expect(state.players).toContainEqual(state.player);
  expect((state['food'] as object[])[0]).toEqual({
    id: expect.any(Number),
    x: expect.any(Number),
    y: expect.any(Number),
    mass: expect.any(Number),
    radius: expect.any(Number),
    m: expect.any(Number),
    c: expect.any(Number),
  });
  expect(state['portalTiming']).toEqual({
    waveActive: false,
    inWarningPhase: false,
    timeUntilNextWave: expect.any(Number),
  });
  await server.until(() => of('leaderboard').length > 0 && of('personalRank').length > 0);
  room.send('split');
  await server.until(() => of<Delta>('deltaUpdate').some(({ player }) => player?.cells.length === 2));
  await room.leave();
});

test('a plain client steers, ejects, pings and chats by name, and sees the changes by group', async () => {
  const { room, of, received } = await play();
  const latest = () => of<Delta>('deltaUpdate').findLast(({ player }) => player)?.player;
  await server.until(() => latest() !== undefined);
  const { x } = latest()!;
  const side = x < 500 ? 1 : -1;
  await server.until(
    () => (latest()!.x - x) * side > 50,
    () => room.send('movement', { x: side * 400, y: 0 }),
  );
  room.send('ejectMass');
  await server.until(() =>
    of<{ massFood: Group }>('deltaUpdate').some(({ massFood }) => massFood.add.length),
  );
  room.send('ping', { id: 7, timestamp: 1, data: 'x'.repeat(100) });
  await server.until(() => of('pong').length > 0);
  expect(of('pong')).toEqual([{ id: 7 }]);
  const moved = of<Delta>('deltaUpdate').find(({ players }) => players.update.length > 0)!;
  expect(moved.type).toBe('delta');
  expect(moved.players.update[0]).toMatchObject({ cells: expect.arrayContaining([expect.anything()]) });
  room.send('fullUpdate', {});
  const snapshots = of('gameUpdate').length;
  await server.until(() => of('gameUpdate').length > snapshots);
  room.send('chat', { message: 'hello' });
  await server.until(() => of<{ message: string }>('chatMessage').some(({ message }) => message === 'hello'));
  expect(received.filter(({ type }) => typeof type !== 'string')).toEqual([]);
  expect(of('kicked')).toEqual([]);
  await room.leave();
});

test('a plain client gets its body back after a reconnect, and still receives messages by name', async () => {
  const { room, of } = await play();
  const { id } = of<State>('gameUpdate').findLast(({ player }) => player)!.player!;
  const back = await comeBack(room, await dropConnection({ room }));
  await server.until(() => back.of<State>('gameUpdate').some(({ player }) => player?.id === id));
  expect(back.received.filter(({ type }) => typeof type !== 'string')).toEqual([]);
  await back.room.leave();
});

test('lines of the live feed come one by one, with their type', async () => {
  const { room, of, seat } = await play();
  await server.until(() =>
    expect(of('liveUpdate')).toContainEqual(
      expect.objectContaining({ type: 'join', playerName: seat.name, timestamp: expect.any(Number) }),
    ),
  );
  await room.leave();
});

test('invalid messages of a plain client are dropped, and it is kicked if it keeps sending them', async () => {
  const { room, of } = await play();
  for (let i = 0; i < 40; i++) room.send('movement', { x: 'left' });
  await server.until(() => of('kicked').length > 0);
  expect(of('kicked')).toEqual([{ reason: 'Invalid messages' }]);
});

test('a player without a ticket is told to select a lobby', async () => {
  const options = { type: 'player', lobbyId: lobby.id };
  for (const joinTicket of [undefined, null, '', 'forged']) {
    const joining = new Client(server.url).join(ROOM_NAME, { ...options, joinTicket });
    await expect(joining).rejects.toThrow('JOIN_TICKET_INVALID');
  }
});

test('a snapshot that is still on its way does not hold up what follows it', () => {
  const client = { state: ClientState.JOINED, ref: { bufferedAmount: 200_000 } } as unknown as ServerClient;
  expect(connectionOf(client, { isPlain: true }).canTakeState()).toBe(true);
  expect(connectionOf(client, { isPlain: false }).canTakeState()).toBe(false);
});

test('spectators get full and delta updates of everything, up to a number that a room can encode for', async () => {
  const watchers = await Promise.all(Array.from({ length: ROOM_LIMITS.maxPlainSpectators }, watch));
  const { of } = watchers[0]!;
  await server.until(() => of('spectatorFullUpdate').length > 0 && of('spectatorDeltaUpdate').length > 0);
  const full = of<State>('spectatorFullUpdate')[0]!;
  expect(full).toMatchObject({ type: 'full', player: null, viruses: [expect.anything(), expect.anything()] });
  expect((full['food'] as Entity[]).length).toBeGreaterThan(50);
  await expect(watch()).rejects.toThrow('LOBBY_FULL');
  await Promise.all(watchers.map(({ room }) => room.leave()));
});

test('no more spectators get in by coming at the same moment, or by coming back after a break', async () => {
  const { ports } = server;
  const { identify } = ports;
  const everybody = ROOM_LIMITS.maxPlainSpectators + 5;
  let asked = 0;
  const all = Promise.withResolvers<void>();
  // All of them are known to be signed in before the first gets its place.
  ports.identify = async (cookie) => {
    if (++asked === everybody) all.resolve();
    await all.promise;
    return identify(cookie);
  };
  const tries = await Promise.allSettled(Array.from({ length: everybody }, watch));
  ports.identify = identify;
  const inside = tries.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  expect(inside).toHaveLength(ROOM_LIMITS.maxPlainSpectators);

  const [first, ...others] = inside;
  const token = await dropConnection(first!);
  let successor: Awaited<ReturnType<typeof watch>> | undefined;
  // The room may notice the break a little later than the client.
  await vi.waitFor(async () => {
    successor = await watch();
  });
  await expect(comeBack(first!.room, token)).rejects.toThrow('LOBBY_FULL');
  await Promise.all([successor!, ...others].map(({ room }) => room.leave()));
});
