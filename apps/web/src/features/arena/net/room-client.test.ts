// @vitest-environment happy-dom
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

async function startJoin() {
  // The library keeps the sockets that it finds when it is loaded.
  const { joinRoom } = await import('./room-client.ts');
  const handlers = {
    onState: vi.fn(),
    onMessage: vi.fn(),
    onDropped: vi.fn(),
    onReconnected: vi.fn(),
    onClosed: vi.fn(),
  };
  const joining = joinRoom(
    'https://eu.example',
    { type: 'spectator', lobbyId: 'lobby', protocolVersion: PROTOCOL_VERSION },
    handlers,
  );
  await vi.waitUntil(() => FakeSocket.opened.length === 1);
  return { joining, socket: FakeSocket.opened[0]!, handlers };
}

async function join() {
  const { joining, socket, handlers } = await startJoin();
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
