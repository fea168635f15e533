import { expect, test, vi } from 'vitest';
import { encodeEvent } from './event-frames.ts';
import { type RawSocket, writeEvents } from './write-events.ts';

const EVENTS = [
  encodeEvent('chat:error', { reason: 'one', error: 'NOT_FOUND' }),
  encodeEvent('chat:error', { reason: 'two', error: 'NOT_FOUND' }),
];
const FRAMES = Buffer.concat(EVENTS.map(({ frame }) => frame));

function createSocket({ transport = 'websocket', readyState = 1, waiting = 0, unsentBytes = 0 } = {}) {
  const stream = { writableLength: unsentBytes, write: vi.fn() };
  const socket = {
    readyState: 'open',
    transport: { name: transport, socket: { readyState, OPEN: 1, _socket: stream } },
    writeBuffer: Array.from({ length: waiting }),
    write: vi.fn(),
    close: vi.fn(),
  };
  writeEvents([socket as unknown as RawSocket], EVENTS);
  return { ...socket, stream };
}

test('all events are one write to the connection', () => {
  const { stream, write } = createSocket();
  expect(stream.write.mock.calls).toEqual([[FRAMES]]);
  expect(write).not.toHaveBeenCalled();
});

test('events do not overtake packets that wait', () => {
  const { stream, write } = createSocket({ waiting: 1 });
  expect(stream.write).not.toHaveBeenCalled();
  expect(write.mock.calls).toEqual([['', { compress: false, wsPreEncodedFrame: [FRAMES] }]]);
});

test('nothing follows the frame that closes', () => {
  const { stream, write } = createSocket({ readyState: 2 });
  expect(stream.write).not.toHaveBeenCalled();
  expect(write).not.toHaveBeenCalled();
});

test('a socket that polls gets packets', () => {
  const { stream, write } = createSocket({ transport: 'polling' });
  expect(stream.write).not.toHaveBeenCalled();
  expect(write.mock.calls).toEqual(EVENTS.map(({ packet }) => [packet]));
});

test.each([{ waiting: 51 }, { transport: 'polling', waiting: 51 }, { unsentBytes: 300_000 }])(
  'a socket that does not read is closed: %o',
  (state) => {
    const { stream, write, close } = createSocket(state);
    expect(close).toHaveBeenCalledWith(true);
    expect(stream.write).not.toHaveBeenCalled();
    expect(write).not.toHaveBeenCalled();
  },
);
