import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openFolderStorage } from './storage.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function temporaryStorage() {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-storage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { folder, storage: openFolderStorage(folder) };
}

test('gives back what was put, and replaces it whole', async () => {
  const { folder, storage } = temporaryStorage();
  await storage.put('avatars/one.png', bytes('first, which is longer'), 'image/png');
  await storage.put('avatars/one.png', bytes('second'), 'image/png');
  expect(Buffer.from((await storage.get('avatars/one.png'))!).toString()).toBe('second');
  expect(readdirSync(join(folder, 'avatars'))).toEqual(['one.png']);
});

test('puts something new only where nothing else is', async () => {
  const { storage } = temporaryStorage();
  expect(await storage.putNew('parts/0', bytes('mine'), 'text/plain')).toBe(true);
  expect(await storage.putNew('parts/0', bytes('mine'), 'text/plain')).toBe(true);
  expect(await storage.putNew('parts/0', bytes('theirs'), 'text/plain')).toBe(false);
  expect(Buffer.from((await storage.get('parts/0'))!).toString()).toBe('mine');
});

test('knows nothing of a key that was removed or never put', async () => {
  const { storage } = temporaryStorage();
  await storage.put('one', bytes('x'), 'text/plain');
  await storage.remove('one');
  await storage.remove('two');
  expect(await storage.get('one')).toBeUndefined();
  expect(await storage.get('two')).toBeUndefined();
});

test.each(['', '../secret', 'a/../b', '/etc/passwd', 'a//b', '.hidden', 'a/.b', 'a\0b', 'A'])(
  'refuses the key %j',
  async (key) => {
    const { storage } = temporaryStorage();
    await expect(storage.get(key)).rejects.toThrow('Not a storage key');
    await expect(storage.put(key, bytes('x'), 'text/plain')).rejects.toThrow('Not a storage key');
    await expect(storage.remove(key)).rejects.toThrow('Not a storage key');
  },
);
