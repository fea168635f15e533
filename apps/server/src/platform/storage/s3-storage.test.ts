import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error: it has no types.
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openS3Storage } from './s3-storage.ts';
import type { Storage } from './storage.ts';

const folder = mkdtempSync(join(tmpdir(), 'engulf-s3-'));
const bucket = 'engulf-files';
let server: { run(): Promise<{ port: number }>; close(): Promise<void> };
let storage: Storage;
let endpoint: string;

beforeAll(async () => {
  server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  endpoint = `http://127.0.0.1:${port}`;
  storage = await openS3Storage(configOf(bucket));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** The key that the test's server knows. */
const key = { id: 'S3RVER', secret: 'S3RVER' };
const configOf = (name: string) =>
  ({ kind: 's3', bucket: name, region: 'us-east-1', endpoint, key }) as const;
const bytes = (text: string) => new TextEncoder().encode(text);

test('gives back what was put, replaced whole, with its type', async () => {
  await storage.put('avatars/one.png', bytes('first, which is longer'), 'image/png');
  await storage.put('avatars/one.png', bytes('second'), 'image/png');
  expect(Buffer.from((await storage.get('avatars/one.png'))!).toString()).toBe('second');
});

test('puts something new only where nothing else is', async () => {
  expect(await storage.putNew('parts/0', bytes('mine'), 'text/plain')).toBe(true);
  expect(await storage.putNew('parts/0', bytes('mine'), 'text/plain')).toBe(true);
  expect(await storage.putNew('parts/0', bytes('theirs'), 'text/plain')).toBe(false);
  expect(Buffer.from((await storage.get('parts/0'))!).toString()).toBe('mine');
});

test('knows nothing of a key that was removed or never put', async () => {
  await storage.put('one', bytes('x'), 'text/plain');
  await storage.remove('one');
  await storage.remove('two');
  expect(await storage.get('one')).toBeUndefined();
  expect(await storage.get('two')).toBeUndefined();
});

test('does not take a missing bucket for a missing file', async () => {
  const elsewhere = await openS3Storage(configOf('no-such-bucket'));
  await expect(elsewhere.get('one')).rejects.toThrow();
});

test.each(['', '../secret', 'a/../b', '/etc/passwd', 'A'])('refuses the key %j', async (name) => {
  await expect(storage.get(name)).rejects.toThrow('Not a storage key');
  await expect(storage.put(name, bytes('x'), 'text/plain')).rejects.toThrow('Not a storage key');
  await expect(storage.remove(name)).rejects.toThrow('Not a storage key');
});

test.each([
  ['does not answer', ''],
  ['stops in the middle of its answer', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'],
])('a service that %s is not waited for', async (_name, answer) => {
  const stuck = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.write(answer));
  });
  stuck.listen(0, '127.0.0.1');
  await once(stuck, 'listening');
  const { port } = stuck.address() as AddressInfo;
  const waiting = await openS3Storage({ ...configOf(bucket), endpoint: `http://127.0.0.1:${port}` }, 100);
  await expect(waiting.get('one')).rejects.toThrow();
  stuck.close();
});
