import { EventEmitter } from 'node:events';
import { Duplex, PassThrough } from 'node:stream';
import { Protocol } from '@colyseus/core';
import { expect, test, vi } from 'vitest';
import { createEntrance } from '../entrance/entrance.ts';
import { ENTRANCE_LIMITS } from '../limits.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createOutbox } from './outbox.ts';
import { guardSocket, type Line } from './socket-guard.ts';

const PONG = Buffer.of(0x8a, 0x80, 0, 0, 0, 0);

/** Without another stream, what is written is also what arrives. */
function openSocket(stream: Duplex = new PassThrough().resume()) {
  const send = vi.fn();
  const terminate = vi.fn();
  const close = vi.fn();
  const socket = Object.assign(new EventEmitter(), {
    bufferedAmount: 0,
    readyState: WebSocket.OPEN as number,
    send,
    terminate,
    close,
  });
  const clock = createManualClock();
  const entrance = createEntrance({
    clock,
    log: () => {},
    addressOf: () => '10.0.0.1',
    isOwnOrigin: () => true,
    limitScale: 1,
  });
  const line: Line = { stream, outbox: createOutbox(stream) };
  guardSocket(socket, line, entrance);
  return { socket, line, stream, send, close, terminate, clock };
}

test('nothing more is sent to a client that does not read, whoever sends it', () => {
  const { socket, send, terminate } = openSocket();
  socket.send('a broadcast');
  expect(send).toHaveBeenCalledOnce();
  socket.bufferedAmount = ENTRANCE_LIMITS.backlogDropBytes + 1;
  socket.send('a broadcast');
  expect(send).toHaveBeenCalledOnce();
  expect(terminate).toHaveBeenCalledOnce();
});

test('what was said before the socket is closed, or before what `ws` sends itself, goes first', () => {
  const { socket, stream, send, close } = openSocket();
  const written: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => written.push(chunk));
  close.mockImplementation(() => expect(written).toHaveLength(1));
  send.mockImplementation(() => expect(written).toHaveLength(2));
  socket.send(Buffer.of(1));
  socket.close(4000);
  expect(close).toHaveBeenCalledExactlyOnceWith(4000);
  socket.send(Buffer.of(2));
  socket.send('a text');
  expect(send).toHaveBeenCalledOnce();
});

test('a frame on which the room throws ends its connection and nothing else', () => {
  const { socket, terminate } = openSocket();
  socket.on('message', () => {
    throw new Error('cannot decode');
  });
  expect(() => socket.emit('message', Buffer.of(Protocol.ROOM_DATA, 0))).not.toThrow();
  expect(terminate).toHaveBeenCalledOnce();
});

test('messages of bytes go to whoever takes them, all else and what is not taken to Colyseus', () => {
  const { socket, line } = openSocket();
  const received = vi.fn();
  socket.on('message', received);
  line.takeBytes = vi.fn((type: number) => type === 3);
  socket.emit('message', Buffer.of(Protocol.ROOM_DATA_BYTES, 3, 10, 20));
  expect(line.takeBytes).toHaveBeenCalledExactlyOnceWith(3, Buffer.of(10, 20));
  expect(received).not.toHaveBeenCalled();
  socket.emit('message', Buffer.of(Protocol.ROOM_DATA_BYTES, 4, 10));
  socket.emit('message', Buffer.of(Protocol.ROOM_DATA, 3));
  expect(received).toHaveBeenCalledTimes(2);
  expect(line.takeBytes).toHaveBeenCalledTimes(2);
});

test('what arrives on a socket that is being closed is not decoded any more', () => {
  const { socket } = openSocket();
  const received = vi.fn();
  socket.on('message', received);
  socket.emit('message', Buffer.of(Protocol.ROOM_DATA, 0));
  socket.readyState = WebSocket.CLOSING;
  socket.emit('message', Buffer.of(Protocol.ROOM_DATA, 0));
  expect(received).toHaveBeenCalledOnce();
});

test('an acknowledgement that comes before the seat is taken does not count', () => {
  const { socket, stream, terminate, clock } = openSocket();
  socket.emit('message', Buffer.of(Protocol.JOIN_ROOM));
  for (let ms = 0; ms < ENTRANCE_LIMITS.handshakeWithinMs; ms += 1_000) {
    expect(terminate).not.toHaveBeenCalled();
    stream.emit('data', PONG);
    clock.advance(1_000);
  }
  expect(terminate).toHaveBeenCalledOnce();
});

test('a flood of WebSocket pings ends the connection', () => {
  const { socket, terminate } = openSocket();
  for (let i = 0; i <= ENTRANCE_LIMITS.framesPerSocket.burst; i++) socket.emit('ping', Buffer.alloc(0));
  expect(terminate).toHaveBeenCalledOnce();
});

test('a client that sends twenty frames a second is never cut off', () => {
  const { socket, stream, terminate, clock } = openSocket();
  socket.on('message', () => {});
  socket.emit('message', Buffer.of(Protocol.JOIN_ROOM));
  for (let i = 0; i < 2 * ENTRANCE_LIMITS.framesPerSocket.burst; i++) {
    stream.emit('data', PONG);
    clock.advance(50);
  }
  expect(terminate).not.toHaveBeenCalled();
});

test('bytes count even if they never become a message', async () => {
  const { stream, terminate } = openSocket();
  stream.write(Buffer.alloc(ENTRANCE_LIMITS.bytesPerSocket.burst + 1));
  await vi.waitFor(() => expect(terminate).toHaveBeenCalledOnce());
});

test('a client that falls silent is asked, and its socket closed if it does not answer', async () => {
  const asked: Buffer[] = [];
  const stream = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => {
      asked.push(chunk);
      done();
    },
  });
  const { terminate, clock } = openSocket(stream);
  const pass = async (ms: number) => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await pass(4_000);
  expect(asked).toEqual([Buffer.of(0x89, 0)]);
  stream.emit('data', PONG);
  await pass(4_000);
  expect(terminate).not.toHaveBeenCalled();
  await pass(4_000);
  expect(terminate).toHaveBeenCalledOnce();
});
