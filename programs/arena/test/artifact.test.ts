import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const elf = readFileSync(new URL('../arena.so', import.meta.url));

test('arena.so has the hash in arena.so.sha256', () => {
  const hash = createHash('sha256').update(elf).digest('hex');
  expect(readFileSync(new URL('../arena.so.sha256', import.meta.url), 'utf8')).toBe(`${hash}  arena.so\n`);
});

test('arena.so contains a security.txt', () => {
  const text = elf.toString('latin1');
  const body =
    /=======BEGIN SECURITY\.TXT V1=======\0(.*?)=======END SECURITY\.TXT V1=======\0/s.exec(text)?.[1] ?? '';
  const words = body.split('\0').slice(0, -1);
  const fields = new Map(words.flatMap((key, index) => (index % 2 ? [] : [[key, words[index + 1]]])));
  expect([...fields.keys()]).toEqual(expect.arrayContaining(['name', 'project_url', 'contacts', 'policy']));
  expect(fields.get('name')).toBe('Engulf arena');
});

test('arena.so contains no path of the build machine', () => {
  expect(elf.toString('latin1')).not.toMatch(/\/(home|root|usr|tmp|work|cargo|rustc)\/|\.rs\b/);
});

test('arena.so is of the version that public clusters accept', () => {
  const flagsOfHeader = 48;
  expect(elf.readUInt32LE(flagsOfHeader)).toBe(3);
});
