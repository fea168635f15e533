import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { shareReads } from './shared-reads.ts';

const open: Socket[] = [];
const server = createServer().listen(0, '127.0.0.1');

afterAll(() => void server.close());

afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

async function openPair(): Promise<{ readonly far: Socket; readonly near: Socket }> {
  if (!server.listening) await once(server, 'listening');
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [Socket];
  near.resume();
  open.push(far, near);
  return { far, near };
}

test('all sockets read into one buffer', async () => {
  const buffers = new Set<ArrayBufferLike>();
  const texts: string[] = [];
  for (const text of ['first', 'x'.repeat(500), 'third']) {
    const { far, near } = await openPair();
    shareReads(near, (bytes) => {
      buffers.add(bytes.buffer);
      texts.push(bytes.toString());
    });
    far.write(text);
    await vi.waitFor(() => expect(texts).toContain(text));
    expect(near.bytesRead).toBe(text.length);
  }
  expect(texts).toEqual(['first', 'x'.repeat(500), 'third']);
  expect(buffers.size).toBe(1);
});

test('a socket that is paused reads nothing until it goes on, and its end is noticed', async () => {
  const { far, near } = await openPair();
  const onBytes = vi.fn();
  shareReads(near, onBytes);
  near.pause();
  far.end('later');
  await once(far, 'finish');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(onBytes).not.toHaveBeenCalled();
  const ended = once(near, 'end');
  near.resume();
  await ended;
  expect(onBytes).toHaveBeenCalledOnce();
});

test('a stream that is no socket stays as it is', async () => {
  const stream = new PassThrough();
  const onBytes = vi.fn();
  shareReads(stream, onBytes);
  const heard = once(stream, 'data');
  stream.write('here');
  expect(String((await heard)[0])).toBe('here');
  expect(onBytes).not.toHaveBeenCalled();
});
