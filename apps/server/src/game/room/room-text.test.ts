import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import { ROOM_STATE_MESSAGES, type StateMessageType } from '@engulf/protocol/room/state-messages';
import { standardRules } from '@engulf/sim/rules';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { issueTicket, newWatcherCookie } from '../../../testing/game/memory-ports.ts';
import { connectRaw } from '../../../testing/game/raw-socket.ts';
import { freeLobby } from '../../../testing/game/test-lobbies.ts';
import { ROOM_LIMITS } from '../limits.ts';

/* Clients that know nothing of our wire but the names of the messages and their fields. */

type Entity = { id: number; x: number; y: number };
type Own = Entity & { name: string; massTotal: number; cells: Entity[]; reward: string };
type Group = { add: Entity[]; update: Entity[]; remove: number[] };
type State = { player: Own | null; players: Entity[] } & Record<string, unknown>;
type Delta = { player: Own | null; players: Group; food: Group };
type Welcome = { player: Own; resumeToken?: string };
type Message = { type: string } & Record<string, unknown>;

const lobby = freeLobby();
let server: ArenaServer;

beforeAll(async () => {
  const food = { ...standardRules.food, count: 100 };
  const viruses = { ...standardRules.viruses, count: 2 };
  server = await startArenaServer([lobby], { ...QUICK_RULES, food, viruses });
});
afterAll(() => server.stop());

/** What the protocol's description knows of a state. */
function described(type: StateMessageType, { type: _, ...state }: object & { type?: unknown }) {
  return { type, ...(ROOM_STATE_MESSAGES[type].payload.parse(state) as object) };
}

/** Sends a first frame and waits for the answer to it. */
async function connect(first: object, cookie?: string) {
  const client = await connectRaw(server, cookie);
  const received = () => client.received.map((frame) => JSON.parse(frame as string) as Message);
  const of = <Payload>(type: string) => received().filter((message) => message.type === type) as Payload[];
  const send = (type: string, fields: object = {}) => client.send(JSON.stringify({ type, ...fields }));
  const leave = async () => {
    client.socket.close(CLOSE_CODES.left);
    await vi.waitFor(() => expect(client.closeCode).toBeDefined());
  };
  client.send(JSON.stringify(first));
  await vi.waitFor(() => expect(client.received.length).toBeGreaterThan(0));
  return { client, of, send, leave, received };
}

const joinWith = (options: object, cookie?: string) =>
  connect({ type: 'join', room: 'agar_game', options }, cookie);

async function letIn(connecting: ReturnType<typeof connect>) {
  const client = await connecting;
  const [refused] = client.of<{ code: string }>('error');
  if (refused) throw new Error(refused.code);
  return client;
}

async function play() {
  const { ticket, seat } = issueTicket(server.ports, lobby);
  const names = { playerName: seat.name, userId: seat.userId, playerId: seat.userId };
  const client = await letIn(joinWith({ type: 'player', ...names, lobbyId: lobby.id, joinTicket: ticket }));
  client.send('spawn', { name: seat.name, screenWidth: 1920, screenHeight: 1080 });
  await server.until(() => client.of<State>('gameUpdate').some(({ player }) => player));
  return { ...client, seat };
}

const watch = () => letIn(joinWith({ type: 'spectator', lobbyId: lobby.id }, newWatcherCookie()));
const comeBack = (token: string) => letIn(connect({ type: 'resume', token }));
const tokenOf = ({ of }: Awaited<ReturnType<typeof connect>>) => of<Welcome>('welcome')[0]!.resumeToken!;

async function dropConnection({ client }: Awaited<ReturnType<typeof connect>>): Promise<void> {
  client.socket.terminate();
  await vi.waitFor(() => expect(client.closeCode).toBeDefined());
}

test('a client that knows the names only is welcomed and shown the arena as objects', async () => {
  const { of, send, leave, seat } = await play();
  const [first, second] = of<Welcome>('welcome');
  expect(first!.player).toMatchObject({ id: 0, name: seat.name, massTotal: 0 });
  expect(second!.player).toMatchObject({ name: seat.name, massTotal: 40 });
  expect(second!.player.id).toBeGreaterThan(0);
  const state = of<State>('gameUpdate').find(({ player }) => player)!;
  expect(Object.keys(state).sort()).toEqual(
    'allPortals food massFood player players portalTiming portals tide type viruses'.split(' '),
  );
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
    reward: '1.00(x1.00)',
    isInvulnerable: expect.any(Boolean),
    invulnerabilityTimeRemaining: expect.any(Number),
    cells: [
      {
        id: expect.any(Number),
        x: expect.any(Number),
        y: expect.any(Number),
        mass: expect.closeTo(45, -1),
        radius: expect.closeTo(50, -1),
        isPrimary: true,
      },
    ],
  });
  expect(state.players).toContainEqual(state.player);
  expect(described('gameUpdate', state)).toEqual(state);
  expect((state['food'] as object[])[0]).toEqual({
    id: expect.any(Number),
    x: expect.any(Number),
    y: expect.any(Number),
    mass: expect.any(Number),
    radius: expect.any(Number),
    m: expect.any(Number),
    c: expect.any(Number),
  });
  // The room of this test is smaller than the least arena.
  expect(state['tide']).toEqual({ size: expect.any(Number), goal: expect.any(Number), near: 0 });
  expect(state['portalTiming']).toEqual({
    waveActive: false,
    inWarningPhase: false,
    timeUntilNextWave: expect.any(Number),
  });
  await server.until(() => of('leaderboard').length > 0 && of('personalRank').length > 0);
  send('split');
  await server.until(() => of<Delta>('deltaUpdate').some(({ player }) => player?.cells.length === 2));
  await leave();
});

test('a client that knows the names only steers, ejects, pings and chats, and sees the changes by group', async () => {
  const { of, send, leave } = await play();
  const latest = () => of<Delta>('deltaUpdate').findLast(({ player }) => player)?.player;
  await server.until(() => latest() !== undefined);
  const { x } = latest()!;
  const side = x < 500 ? 1 : -1;
  await server.until(
    () => (latest()!.x - x) * side > 50,
    () => send('movement', { x: side * 400, y: 0 }),
  );
  send('ejectMass');
  await server.until(() =>
    of<{ massFood: Group }>('deltaUpdate').some(({ massFood }) => massFood.add.length),
  );
  send('ping', { id: 7, timestamp: 1, data: 'x'.repeat(100) });
  await server.until(() => of('pong').length > 0);
  expect(of('pong')).toEqual([{ type: 'pong', id: 7 }]);
  const moved = of<Delta>('deltaUpdate').find(({ players }) => players.update.length > 0)!;
  expect(described('deltaUpdate', moved)).toEqual(moved);
  expect(moved.players.update[0]).toMatchObject({ cells: expect.arrayContaining([expect.anything()]) });
  send('fullUpdate');
  const snapshots = of('gameUpdate').length;
  await server.until(() => of('gameUpdate').length > snapshots);
  send('chat', { message: 'hello' });
  await server.until(() =>
    of<{ payload: { message: string; type: string } }>('chatMessage').some(
      ({ payload }) => payload.message === 'hello' && payload.type === 'player',
    ),
  );
  expect(of('kicked')).toEqual([]);
  await leave();
});

test('a client gets its body back after its line broke, in the same language', async () => {
  const client = await play();
  const { id } = client.of<State>('gameUpdate').findLast(({ player }) => player)!.player!;
  await dropConnection(client);
  const back = await comeBack(tokenOf(client));
  expect(back.of<Welcome>('welcome')[0]!.player.id).toBe(id);
  await server.until(() => back.of<State>('gameUpdate').some(({ player }) => player?.id === id));
  await back.leave();
});

test('lines of the live feed come one by one, with their type', async () => {
  const { of, leave, seat } = await play();
  await server.until(() =>
    expect(of('liveUpdate')).toContainEqual({
      type: 'liveUpdate',
      payload: expect.objectContaining({
        type: 'join',
        playerName: seat.name,
        timestamp: expect.any(Number),
      }),
    }),
  );
  await leave();
});

test('refused messages are answered with a code and a text, and a client that keeps sending them is kicked', async () => {
  const { client, of, send } = await play();
  send('movement', { x: 'left' });
  send('dance');
  client.send('{');
  client.send(Uint8Array.of(3, 0, 0, 0, 0));
  send('f4Testing');
  send('chat', { message: 7 });
  await server.until(() => of('error').length === 5 && of('chatError').length === 1);
  expect(of('error')).toContainEqual({
    type: 'error',
    code: 'INVALID_REQUEST',
    message: expect.stringMatching(/\w/),
    about: 'movement',
  });
  expect(of('error')).toContainEqual(expect.objectContaining({ code: 'FORBIDDEN', about: 'f4Testing' }));
  for (let i = 0; i < 40; i++) send('movement', { x: 'left' });
  await server.until(() => of('kicked').length > 0);
  expect(of('kicked')).toEqual([{ type: 'kicked', reason: 'Invalid messages' }]);
});

test('a spectator who writes is told why nobody reads it', async () => {
  const { of, send, leave } = await watch();
  send('chat', { message: 'behind you' });
  send('spawn', { screenWidth: 800, screenHeight: 600 });
  await server.until(() => of('chatError').length === 1 && of('error').length === 1);
  expect(of('error')).toEqual([expect.objectContaining({ code: 'FORBIDDEN', about: 'spawn' })]);
  await leave();
});

test('what is sent right after the join is not lost', async () => {
  const { ticket, seat } = issueTicket(server.ports, lobby);
  const client = await connectRaw(server);
  const options = { type: 'player', lobbyId: lobby.id, joinTicket: ticket };
  client.send(JSON.stringify({ type: 'join', room: 'agar_game', options }));
  client.send(JSON.stringify({ type: 'spawn', screenWidth: 800, screenHeight: 600 }));
  await server.until(() =>
    expect(client.received.filter((frame) => String(frame).includes('"welcome"'))).toHaveLength(2),
  );
  expect(server.ports.tickets.has(ticket)).toBe(false);
  expect(String(client.received[0])).toContain(seat.name);
  client.socket.terminate();
});

test.each([undefined, null, '', 'forged'])(
  'the ticket %j is refused with a code and a text',
  async (joinTicket) => {
    const { client, of } = await joinWith({ type: 'player', lobbyId: lobby.id, joinTicket });
    expect(of('error')).toEqual([
      { type: 'error', code: 'JOIN_TICKET_INVALID', message: expect.stringMatching(/\w/), about: 'join' },
    ]);
    await vi.waitFor(() => expect(client.closeCode).toBe(CLOSE_CODES.refused));
  },
);

test.each([
  ['something else', '{"type":"movement","x":1,"y":2}', 'INVALID_REQUEST'],
  ['no JSON', 'join', 'INVALID_REQUEST'],
  ['another room', '{"type":"join","room":"chess","options":{}}', 'INVALID_REQUEST'],
  ['an outdated version', '{"type":"join","protocolVersion":1}', 'PROTOCOL_MISMATCH'],
  ['a token of nobody', '{"type":"resume","token":"x"}', 'SESSION_ENDED'],
])('a first frame with %s is refused', async (_name, frame, code) => {
  const client = await connectRaw(server);
  client.send(frame);
  await vi.waitFor(() => expect(client.closeCode).toBe(CLOSE_CODES.refused));
  expect(client.received.map((text) => JSON.parse(text as string) as Message)).toMatchObject([
    { type: 'error', code },
  ]);
});

test('spectators get full and delta updates of everything, up to a number that a room can encode for', async () => {
  const watchers = await Promise.all(Array.from({ length: ROOM_LIMITS.maxTextSpectators }, watch));
  const { of } = watchers[0]!;
  await server.until(() => of('spectatorFullUpdate').length > 0 && of('spectatorDeltaUpdate').length > 0);
  const full = of<State>('spectatorFullUpdate')[0]!;
  expect(full).toMatchObject({ player: null, viruses: [expect.anything(), expect.anything()] });
  expect((full['food'] as Entity[]).length).toBeGreaterThan(50);
  await expect(watch()).rejects.toThrow('LOBBY_FULL');
  await Promise.all(watchers.map(({ leave }) => leave()));
});

test('no more spectators get in by coming at the same moment, or by coming back after a break', async () => {
  const { ports } = server;
  const { identify } = ports;
  const everybody = ROOM_LIMITS.maxTextSpectators + 5;
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
  expect(inside).toHaveLength(ROOM_LIMITS.maxTextSpectators);

  const [first, ...others] = inside;
  await dropConnection(first!);
  let successor: Awaited<ReturnType<typeof watch>> | undefined;
  await vi.waitFor(async () => {
    successor = await watch();
  });
  await expect(comeBack(tokenOf(first!))).rejects.toThrow('LOBBY_FULL');
  await Promise.all([successor!, ...others].map(({ leave }) => leave()));
});
