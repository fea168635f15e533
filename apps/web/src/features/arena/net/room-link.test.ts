// @vitest-environment happy-dom
import { serverFrame } from '@engulf/protocol/room/compact-frames';
import type { JoinOptions } from '@engulf/protocol/room/join';
import {
  CLOSE_CODES,
  type RoomServerMessageType,
  type RoomServerPayload,
} from '@engulf/protocol/room/server-messages';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { welcome } from '../../../testing/entered-room.ts';
import { joinRoom } from './room-link.ts';

/** The browser's sockets, with the test at the other end. */
class FakeSocket {
  static opened: FakeSocket[] = [];
  readyState = 0;
  readonly sent: string[] = [];
  onopen?: (event: unknown) => void;
  onmessage?: (event: unknown) => void;
  onclose?: (event: unknown) => void;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeSocket.opened.push(this);
  }

  /** The room lets the client in. */
  accept() {
    this.readyState = 1;
    this.onopen?.({});
    this.say('welcome', { ...welcome, resumeToken: 'token' });
  }

  /** The room says something. */
  say<Type extends RoomServerMessageType>(type: Type, payload: RoomServerPayload<Type>) {
    this.onmessage?.({ data: serverFrame(type, payload).slice().buffer });
  }

  send(frame: Uint8Array) {
    this.sent.push(new TextDecoder().decode(frame.subarray(1)));
  }

  close(code = 1006) {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.opened = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const SPECTATOR: JoinOptions = { type: 'spectator', lobbyId: 'lobby' };
const PLAYER: JoinOptions = { type: 'player', lobbyId: 'lobby', joinTicket: 'first' };
const AGAIN: JoinOptions = { ...PLAYER, joinTicket: 'second' };

function startJoin(options = SPECTATOR) {
  const handlers = {
    onState: vi.fn(),
    onMessage: vi.fn(),
    onDropped: vi.fn(),
    onReconnected: vi.fn(),
    onClosed: vi.fn(),
  };
  const joining = joinRoom('https://eu.example', options, handlers);
  return { joining, socket: FakeSocket.opened.at(-1)!, handlers };
}

async function join(options = SPECTATOR) {
  const { joining, socket, handlers } = startJoin(options);
  socket.accept();
  const joined = await joining;
  if (!joined.ok) throw new Error(joined.error.code);
  await vi.advanceTimersByTimeAsync(0);
  return { link: joined.value, socket, handlers };
}

test('a join is one frame to the address of the lobby, and its welcome comes after the link', async () => {
  const { joining, socket, handlers } = startJoin();
  expect(socket.url).toBe('wss://eu.example/agar_game?lobbyId=lobby');
  socket.accept();
  expect(socket.sent).toEqual([expect.stringContaining('"options":{"type":"spectator","lobbyId":"lobby"}')]);
  const joined = await joining;
  expect(handlers.onMessage).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(0);
  expect(handlers.onMessage).toHaveBeenCalledExactlyOnceWith({
    type: 'welcome',
    payload: { ...welcome, resumeToken: 'token' },
  });
  expect(joined.ok && joined.value.send('fullUpdate')).toBe(true);
});

test('a refused join is reported with its code', async () => {
  const { joining, socket } = startJoin();
  socket.say('error', { code: 'LOBBY_CLOSED', message: 'Closed.', about: 'join' });
  socket.close(CLOSE_CODES.refused);
  expect(await joining).toMatchObject({ ok: false, error: { code: 'LOBBY_CLOSED' } });
});

test('a join that gets no answer is given up, and its socket closed for the next one', async () => {
  const { joining, socket } = startJoin();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await joining).toMatchObject({ ok: false, error: { code: 'DISCONNECTED' } });
  expect(socket.readyState).toBe(3);
});

test('a room that is left is told so, and nothing of it is delivered any more', async () => {
  const { link, socket, handlers } = await join();
  const close = vi.spyOn(socket, 'close');
  link.leave();
  expect(close).toHaveBeenCalledExactlyOnceWith(CLOSE_CODES.left);
  socket.say('pong', { id: 1 });
  expect(handlers.onMessage).toHaveBeenCalledOnce();
  expect(handlers.onClosed).not.toHaveBeenCalled();
});

test('a connection that broke is resumed with the token of its welcome', async () => {
  const { link, socket, handlers } = await join();
  socket.close();
  expect(handlers.onDropped).toHaveBeenCalledWith(1006);
  expect(link.send('fullUpdate')).toBe(false);
  const [, second] = FakeSocket.opened;
  second!.accept();
  await vi.advanceTimersByTimeAsync(0);
  expect(second!.sent).toEqual([expect.stringContaining('"token":"token"')]);
  expect(handlers.onReconnected).toHaveBeenCalledOnce();
  expect(handlers.onMessage).toHaveBeenCalledTimes(2);
  expect(link.send('fullUpdate')).toBe(true);
});

test('a connection that cannot be made is tried again, until the room says no', async () => {
  const { socket, handlers } = await join();
  socket.close();
  FakeSocket.opened[1]!.close();
  await vi.advanceTimersByTimeAsync(250);
  FakeSocket.opened[2]!.close();
  await vi.advanceTimersByTimeAsync(500);
  FakeSocket.opened[3]!.say('error', { code: 'SESSION_ENDED', message: 'Over.', about: 'join' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(handlers.onClosed).toHaveBeenCalledExactlyOnceWith(CLOSE_CODES.refused);
  expect(FakeSocket.opened).toHaveLength(4);
});

test('a connection that the room closes on purpose is not made again', async () => {
  const { socket, handlers } = await join();
  socket.close(CLOSE_CODES.kicked);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(handlers.onClosed).toHaveBeenCalledExactlyOnceWith(CLOSE_CODES.kicked);
  expect(FakeSocket.opened).toHaveLength(1);
});

test('a connection that is silent is given up for another one', async () => {
  const { link, socket, handlers } = await join();
  link.renew();
  expect(socket.readyState).toBe(3);
  expect(handlers.onDropped).toHaveBeenCalledOnce();
  FakeSocket.opened[1]!.accept();
  await vi.advanceTimersByTimeAsync(0);
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
  expect(FakeSocket.opened).toHaveLength(3);
});

test('a link that is left between two tries does not come back', async () => {
  const { link, socket } = await join();
  socket.close();
  FakeSocket.opened[1]!.close();
  await vi.advanceTimersByTimeAsync(100);
  link.leave();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(FakeSocket.opened).toHaveLength(2);
});

test('a link that is left during a try closes its socket', async () => {
  const { link, socket, handlers } = await join();
  socket.close();
  link.leave();
  expect(FakeSocket.opened[1]!.readyState).toBe(3);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(FakeSocket.opened).toHaveLength(2);
  expect(handlers.onClosed).not.toHaveBeenCalled();
});

test('a connection that is being made in place of a broken one is given up in time for another', async () => {
  const { socket, handlers } = await join();
  socket.close();
  await vi.advanceTimersByTimeAsync(4_500);
  expect(FakeSocket.opened[1]!.readyState).toBe(3);
  await vi.advanceTimersByTimeAsync(250);
  FakeSocket.opened[2]!.accept();
  await vi.advanceTimersByTimeAsync(0);
  expect(handlers.onReconnected).toHaveBeenCalledOnce();
});

test('an address that the browser refuses is a connection that failed', async () => {
  vi.stubGlobal('WebSocket', function refuse() {
    throw new SyntaxError('bad address');
  });
  const joined = await joinRoom('nonsense:', SPECTATOR, {} as Parameters<typeof joinRoom>[2]);
  expect(joined).toMatchObject({ ok: false, error: { code: 'DISCONNECTED' } });
});

test('what the room said before it closed the connection is delivered before the end', async () => {
  const { joining, socket, handlers } = startJoin();
  socket.accept();
  socket.say('kicked', { reason: 'no' });
  socket.close(CLOSE_CODES.kicked);
  expect((await joining).ok).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(handlers.onMessage.mock.calls.map(([{ type }]) => type)).toEqual(['welcome', 'kicked']);
  expect(handlers.onClosed).toHaveBeenCalledExactlyOnceWith(CLOSE_CODES.kicked);
});

/** A player whose game has ended, and who has left the arena. */
async function finish() {
  const { link, socket } = await join(PLAYER);
  const stats = { reward: '0', finalMass: 9, usdValue: null };
  socket.say('gameOver', { stats, cause: 'eaten', killer: 'Bo' });
  link.leave();
  return socket;
}

test('the next game in the same lobby is joined on the same connection', async () => {
  const socket = await finish();
  await vi.advanceTimersByTimeAsync(20_000);
  const { joining, handlers } = startJoin(AGAIN);
  expect(FakeSocket.opened).toEqual([socket]);
  expect(socket.sent.at(-1)).toContain('"joinTicket":"second"');
  socket.say('pong', { id: 1 });
  socket.say('welcome', { ...welcome, resumeToken: 'other' });
  expect((await joining).ok).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  // What came before the welcome belongs to the game before.
  expect(handlers.onMessage.mock.calls.map(([{ type }]) => type)).toEqual(['welcome']);
  socket.close();
  expect(handlers.onDropped).toHaveBeenCalledWith(1006);
  FakeSocket.opened[1]!.accept();
  expect(FakeSocket.opened[1]!.sent.at(-1)).toContain('"token":"other"');
});

test.each([
  ['gives no answer', () => vi.advanceTimersByTimeAsync(2_500)],
  ['breaks', (socket: FakeSocket) => socket.close()],
])('if the old connection %s, the join has failed and the next is made on a new one', async (_name, fail) => {
  const socket = await finish();
  const { joining } = startJoin(AGAIN);
  await fail(socket);
  expect(await joining).toMatchObject({ ok: false, error: { code: 'DISCONNECTED' } });
  startJoin(AGAIN);
  expect(FakeSocket.opened).toHaveLength(2);
});

test('a connection that was kept is closed after a while, or when the next game is elsewhere', async () => {
  const first = await finish();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(first.readyState).toBe(3);
  const second = await finish();
  startJoin({ ...AGAIN, lobbyId: 'other' });
  expect(second.readyState).toBe(3);
});
