// @vitest-environment happy-dom
import type { JoinOptions } from '@engulf/protocol/room/join-options';
import type { RoomServerMessageType, RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { clientTypeNumber, packPayload, serverTypeNumber } from '@engulf/protocol/room/wire-types';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The browser's sockets, with the test at the other end. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static opened: FakeSocket[] = [];
  readyState = 0;
  readonly sent: Uint8Array[] = [];
  onopen?: (event: unknown) => void;
  onmessage?: (event: unknown) => void;
  onclose?: (event: unknown) => void;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSocket.opened.push(this);
  }

  /** The room lets the client in. */
  accept() {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.({});
    const text = (value: string) => [value.length, ...new TextEncoder().encode(value)];
    this.onmessage?.({ data: new Uint8Array([JOIN_ROOM, ...text('token'), ...text('none'), 0]).buffer });
  }

  /** The room says something. */
  say<Type extends RoomServerMessageType>(type: Type, payload: RoomServerPayload<Type>) {
    const data = [ROOM_DATA, serverTypeNumber(type), ...msgpack(packPayload(type, payload))];
    this.onmessage?.({ data: new Uint8Array(data).buffer });
  }

  send(data: Uint8Array) {
    this.sent.push(data.slice());
  }

  close(code = 1006) {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

const JOIN_ROOM = 10;
const LEAVE_ROOM = 12;
const ROOM_DATA = 13;

/** As Colyseus encodes short texts, small numbers and what holds them. */
function msgpack(value: unknown): number[] {
  if (value === null) return [0xc0];
  if (typeof value === 'number') return [value];
  if (typeof value === 'string') return [0xa0 + value.length, ...new TextEncoder().encode(value)];
  if (Array.isArray(value)) return [0x90 + value.length, ...value.flatMap(msgpack)];
  const entries = Object.entries(value as object);
  return [0x80 + entries.length, ...entries.flat().flatMap(msgpack)];
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  const seat = { name: 'agar_game', roomId: 'room', processId: 'process', sessionId: 'session' };
  vi.stubGlobal('fetch', async () => Response.json(seat));
  vi.spyOn(console, 'info').mockReturnValue();
  FakeSocket.opened = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const SPECTATOR: JoinOptions = {
  type: 'spectator',
  lobbyId: 'lobby',
  protocolVersion: PROTOCOL_VERSION,
};
const PLAYER: JoinOptions = { ...SPECTATOR, type: 'player', joinTicket: 'first' };

async function startJoin(options: JoinOptions = SPECTATOR, sockets = 1) {
  // The library keeps the sockets that it finds when it is loaded.
  const { joinRoom } = await import('./room-client.ts');
  const handlers = {
    onState: vi.fn(),
    onMessage: vi.fn(),
    onDropped: vi.fn(),
    onReconnected: vi.fn(),
    onClosed: vi.fn(),
  };
  const joining = joinRoom('https://eu.example', options, handlers);
  await vi.waitUntil(() => FakeSocket.opened.length === sockets);
  return { joining, socket: FakeSocket.opened.at(-1)!, handlers };
}

async function join(options?: JoinOptions) {
  const { joining, socket, handlers } = await startJoin(options);
  socket.accept();
  const joined = await joining;
  if (!joined.ok) throw new Error(joined.error.code);
  return { link: joined.value, socket, handlers };
}

test('a join that gets no answer is given up, and its socket closed for the next one', async () => {
  const { joining, socket } = await startJoin();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await joining).toMatchObject({ ok: false, error: { code: 'DISCONNECTED' } });
  expect(socket.readyState).toBe(3);
});

test('a room that is left is told so', async () => {
  const { link, socket } = await join();
  link.leave();
  expect(socket.sent.at(-1)).toEqual(new Uint8Array([LEAVE_ROOM]));
});

test('a connection that broke is made again', async () => {
  const { socket, handlers } = await join();
  socket.close();
  expect(handlers.onDropped).toHaveBeenCalledWith(1006);
  await vi.advanceTimersByTimeAsync(1_000);
  FakeSocket.opened[1]!.accept();
  expect(handlers.onReconnected).toHaveBeenCalledOnce();
});

test('a connection that is silent is given up for another one', async () => {
  const { link, socket, handlers } = await join();
  link.renew();
  expect(socket.readyState).toBe(3);
  await vi.advanceTimersByTimeAsync(1_000);
  FakeSocket.opened[1]!.accept();
  expect(handlers.onReconnected).toHaveBeenCalledOnce();
});

test('a connection that is new, or still being made, is given up only if that takes too long', async () => {
  const { link, socket } = await join();
  socket.close();
  await vi.advanceTimersByTimeAsync(2_500);
  link.renew();
  const [, second] = FakeSocket.opened;
  second!.accept();
  await vi.advanceTimersByTimeAsync(1_500);
  link.renew();
  expect(second!.readyState).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  link.renew();
  expect(second!.readyState).toBe(3);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(FakeSocket.opened).toHaveLength(3);
});

test('a link that is left between two retries does not come back', async () => {
  const { link, socket } = await join();
  socket.close();
  link.leave();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(FakeSocket.opened).toEqual([socket]);
});

test('a link that is left during a retry closes its socket', async () => {
  const { link, socket, handlers } = await join();
  socket.close();
  await vi.advanceTimersByTimeAsync(1_000);
  link.leave();
  expect(FakeSocket.opened[1]!.readyState).toBe(3);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(FakeSocket.opened).toHaveLength(2);
  expect(handlers.onClosed).not.toHaveBeenCalled();
});

const GAME_OVER = {
  stats: { reward: '0', finalMass: 9, usdValue: null },
  cause: 'eaten',
  killer: 'Bo',
} as const;
const again = (more: object = {}): JoinOptions => ({ ...PLAYER, joinTicket: 'second', ...more });

/** A player whose game has ended, and who has left the arena. */
async function finish() {
  const { link, socket, handlers } = await join(PLAYER);
  socket.say('gameOver', GAME_OVER);
  link.leave();
  return { socket, handlers };
}

test('the next game in the same lobby takes its seat on the same connection', async () => {
  const { socket, handlers } = await finish();
  await vi.advanceTimersByTimeAsync(20_000);
  const next = await startJoin(again());
  const [, type, ...ticket] = socket.sent.at(-1)!;
  expect(type).toBe(clientTypeNumber('playAgain'));
  expect(String.fromCharCode(...ticket)).toContain('second');
  socket.say('nextSeat', { error: null });
  const joined = await next.joining;
  socket.say('pong', { id: 1 });
  expect(next.handlers.onMessage).toHaveBeenCalledExactlyOnceWith({ type: 'pong', payload: { id: 1 } });
  expect(handlers.onMessage).toHaveBeenCalledOnce();
  expect(joined.ok && joined.value.send('fullUpdate')).toBe(true);
  socket.close();
  expect(next.handlers.onDropped).toHaveBeenCalledWith(1006);
  await vi.advanceTimersByTimeAsync(1_000);
  FakeSocket.opened[1]!.accept();
  expect(next.handlers.onReconnected).toHaveBeenCalledOnce();
});

test('a refusal of the next seat is reported as it is', async () => {
  const { socket } = await finish();
  const { joining } = await startJoin(again());
  socket.say('nextSeat', { error: 'LOBBY_CLOSED' });
  expect(await joining).toMatchObject({ ok: false, error: { code: 'LOBBY_CLOSED' } });
  expect(socket.sent.at(-1)).toEqual(new Uint8Array([LEAVE_ROOM]));
});

test.each([
  ['gives no answer', () => vi.advanceTimersByTimeAsync(2_500)],
  ['breaks', (socket: FakeSocket) => socket.close()],
])('if the old connection %s, the seat is asked for on a new one', async (_name, fail) => {
  const { socket } = await finish();
  const { joining } = await startJoin(again());
  await fail(socket);
  expect(await joining).toMatchObject({ ok: false, error: { code: 'DISCONNECTED' } });
  await startJoin(again(), 2);
  expect(FakeSocket.opened[1]!.url).toContain('room');
});

test('a connection that was kept is closed after a while, or when the next game is elsewhere', async () => {
  const { socket } = await finish();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(socket.sent.at(-1)).toEqual(new Uint8Array([LEAVE_ROOM]));
  socket.close(4000);
  const second = await startJoin(PLAYER, 2);
  second.socket.accept();
  const joined = await second.joining;
  second.socket.say('gameOver', GAME_OVER);
  if (joined.ok) joined.value.leave();
  await startJoin(again({ lobbyId: 'other' }), 3);
  expect(second.socket.sent.at(-1)).toEqual(new Uint8Array([LEAVE_ROOM]));
});

test('a game that is not over is left for good', async () => {
  const { link, socket } = await join(PLAYER);
  link.leave();
  expect(socket.sent.at(-1)).toEqual(new Uint8Array([LEAVE_ROOM]));
  await startJoin(again(), 2);
});
