import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectPublicSbpfVersion } from './cargo.ts';

test('a program for public clusters must be SBPF v3', () => {
  const elf = readFileSync(new URL('../../programs/arena/arena.so', import.meta.url));
  expect(() => expectPublicSbpfVersion(elf)).toThrow(/is SBPF v0/);
  elf.writeUInt32LE(3, 48);
  expect(() => expectPublicSbpfVersion(elf)).not.toThrow();
});
