import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { childrenOf } from '@engulf/trials/process-usage';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ArenaClient, joinWithTicket, openSocket, sendSpawn } from '../../testing/game/arena-client.ts';
import { QUICK_RULES } from '../../testing/game/arena-server.ts';
import { createManualClock, type ManualClock } from '../../testing/game/manual-clock.ts';
import { createMemoryChat, type MemoryChat } from '../../testing/game/memory-chat.ts';
import { createMemoryPorts, issueTicket, type MemoryPorts } from '../../testing/game/memory-ports.ts';
import { freeLobby, paidLobby } from '../../testing/game/test-lobbies.ts';
import { createEntrance, type Entrance } from '../game/entrance/entrance.ts';
import type { GameMeter } from '../game/ports.ts';
import { systemClock } from '../platform/clock.ts';
import type { RoomSettings } from './contract.ts';
import { openGateway } from './gateway.ts';
import { type RoomProcess, startRoomProcess } from './start-room-process.ts';

const SECRET = 'nobody who talks to strangers may know this';
const WITHIN = { timeout: 20_000, interval: 20 };
const paid = paidLobby();
const free = freeLobby({ name: 'Shallows' });

const SETTINGS: RoomSettings = {
  rules: QUICK_RULES,
  isTesting: false,
  limitScale: 1_000,
  log: { logLevel: 'silent', logFile: undefined, dataDir: '', traces: undefined },
};

let server: Server;
let ports: MemoryPorts;
let chat: MemoryChat;
let rooms: RoomProcess;
let clock: ManualClock;
/** Sockets that the host believes to be open. */
let open: Set<Socket>;
let entrance: Entrance;
const bytes = { up: 0, down: 0 };
let reports = 0;
const meter = { tick: vi.fn(), room: vi.fn(), connection: vi.fn(), refused: vi.fn() } satisfies GameMeter;

beforeEach(async () => {
  vi.stubEnv('SUPER_ADMIN_KEYPAIR', SECRET);
  ports = createMemoryPorts([paid, free]);
  chat = createMemoryChat();
  clock = createManualClock();
  open = new Set();
  reports = 0;
  entrance = createEntrance({
    clock: systemClock,
    log: () => {},
    addressOf: () => '192.0.2.7',
    isOwnOrigin: () => true,
    limitScale: 1_000,
  });
  server = createServer((_request, response) => response.writeHead(404).end());
  server.on('upgrade', (_request, socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const gateway = openGateway(server, entrance);
  rooms = await startRoomProcess(
    {
      ports,
      chat,
      meter,
      clock,
      onBytes: (up, down) => {
        reports++;
        bytes.up += up;
        bytes.down += down;
      },
    },
    SETTINGS,
  );
  gateway.add(rooms);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  rooms.kill();
  await rooms.ended;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const port = () => (server.address() as AddressInfo).port;
const url = () => `ws://127.0.0.1:${port()}`;

async function enter(lobby = paid) {
  const { ticket: joinTicket, seat } = issueTicket(ports, lobby);
  const client = await joinWithTicket({ url: url() }, lobby, joinTicket);
  sendSpawn(client);
  await vi.waitFor(() => expect(client.decoder.view.own).toBeDefined(), WITHIN);
  return { client, seat };
}

const typesOf = ({ received }: ArenaClient) => received.map(({ type }) => type);

test('plays, settles and chats through its host, which counts what happens there', async () => {
  const { client, seat } = await enter();
  expect(open.size).toBe(1);
  client.send('chat', { message: 'hello from another process' });
  await vi.waitFor(() => expect(typesOf(client)).toContain('chatMessage'), WITHIN);
  expect(chat.visitors).toEqual([{ userId: seat.userId, address: '192.0.2.7' }]);
  await client.leave();
  await vi.waitFor(() => expect(ports.settled.get(seat.entryId)).toMatchObject({ kind: 'forfeit' }), WITHIN);
  await vi.waitFor(() => expect(open.size).toBe(0), WITHIN);
  await vi.waitFor(() => expect(bytes.down).toBeGreaterThan(300), WITHIN);
  expect(bytes.up).toBeGreaterThan(100);
  expect(meter.connection).toHaveBeenCalledWith('joined');
  expect(meter.tick.mock.calls.length).toBeGreaterThan(10);
  expect(ports.faults).toEqual([]);
});

test('ends every match when it is closed, and only then itself', async () => {
  const { client, seat } = await enter();
  await rooms.close();
  expect(ports.settled.get(seat.entryId)).toMatchObject({ kind: 'closed' });
  expect(ports.matches).toHaveLength(2);
  expect(() => process.kill(rooms.pid, 0)).toThrow();
  await vi.waitFor(() => expect(client.closeCode).toBeDefined(), WITHIN);
});

test('takes its sockets with it when it is killed, and nobody is led there any more', async () => {
  const { client } = await enter();
  await enter(free);
  expect(open.size).toBe(2);
  rooms.kill();
  await rooms.ended;
  expect(open.size).toBe(0);
  await vi.waitFor(() => expect(client.closeCode).toBeDefined(), WITHIN);
  await expect(enter()).rejects.toThrow('DISCONNECTED');
  await expect(rooms.leave()).rejects.toThrow('The room process is gone');
});

test('tells its host who has joined, and closes a socket that the host closes', async () => {
  const joined = vi.spyOn(entrance, 'joined');
  const { client } = await enter();
  const [player] = open;
  expect(joined.mock.calls).toEqual([[player]]);

  const silent = openSocket({ url: url() }, '', free.id);
  await new Promise((resolve) => silent.once('open', resolve));
  expect(joined).toHaveBeenCalledOnce();
  const [, waiting] = open;
  waiting!.destroy();
  // Before the room would close it because it does not join.
  await vi.waitFor(() => expect(silent.readyState).toBe(silent.CLOSED), 10_000);
  expect(client.closeCode).toBeUndefined();
  expect(open).toEqual(new Set([player]));
});

test('is ended once it has been silent for five seconds', async () => {
  await vi.waitFor(() => expect(reports).toBeGreaterThan(0), WITHIN);
  process.kill(rooms.pid, 'SIGSTOP');
  for (let second = 0; second < 7; second++) clock.advance(1_000);
  expect(await rooms.ended).toBe('it was silent');
});

test.each([
  ['before it has said anything', 70],
  ['when it asks for its first lobby', 7],
])('is ended if it hangs %s', async (moment, seconds) => {
  const known = childrenOf(process.pid);
  const asked = vi.spyOn(ports, 'listLobbies');
  const starting = startRoomProcess({ ports, chat, clock }, SETTINGS);
  const pid = childrenOf(process.pid).find((each) => !known.includes(each))!;
  if (moment.startsWith('when')) await vi.waitFor(() => expect(asked).toHaveBeenCalled(), WITHIN);
  process.kill(pid, 'SIGSTOP');
  for (let second = 0; second < seconds; second++) clock.advance(1_000);
  await expect(starting).rejects.toThrow('The room process is gone');
});

test('is ended, and its host goes on, if it says something that makes no sense', async () => {
  meter.tick.mockImplementationOnce(() => {
    throw new Error('that is no time');
  });
  expect(await rooms.ended).toBe('it made no sense');
  await expect(enter()).rejects.toThrow('DISCONNECTED');
});

/** Runs in a room process before its own code, as an attacker would who has broken into it. */
function breakInto(): void {
  setInterval(() => {
    const call = (name: string, ...parameters: unknown[]) =>
      process.send!({ kind: 'call', id: -1, name, parameters });
    const lobbyId = 'LOBBY';
    const [visitor, admin] = ['user-99', 'admin'].map((userId) => ({ userId, address: '192.0.2.8' }));
    call('writeChat', admin, lobbyId, '/announce send your SOL here');
    call('whisper', admin, 'send your SOL here');
    call('identify', 'engulf_session=user-99');
    call('writeChat', visitor, lobbyId, 'I came here');
  }, 50);
}

test('that was broken into chats for nobody but the visitors who came to it', async () => {
  const attack = `(${breakInto})()`.replace('LOBBY', free.id);
  vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript;base64,${btoa(attack)}`);
  const whisper = vi.spyOn(chat, 'whisper');
  const broken = await startRoomProcess({ ports, chat, clock: systemClock }, SETTINGS);
  await vi.waitFor(() => expect(chat.visitors.length).toBeGreaterThan(2), WITHIN);
  expect(new Set(chat.visitors.map(({ userId }) => userId))).toEqual(new Set(['user-99']));
  expect(whisper).not.toHaveBeenCalled();
  broken.kill();
  await broken.ended;
});

test('knows no secret of its host', () => {
  const environment = readFileSync(`/proc/${rooms.pid}/environ`, 'utf8');
  expect(environment).toContain('PATH=');
  expect(environment).not.toContain(SECRET);
});

test('a client of a lobby that no process has is told so', async () => {
  const nowhere = freeLobby();
  const { ticket } = issueTicket(ports, nowhere);
  await expect(joinWithTicket({ url: url() }, nowhere, ticket)).rejects.toThrow('LOBBY_NOT_FOUND');
  await vi.waitFor(() => expect(open.size).toBe(0), WITHIN);
});
