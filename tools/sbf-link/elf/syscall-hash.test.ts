import { expect, test } from 'vitest';
import { syscallHash } from './syscall-hash.ts';

test.each([
  ['abort', 0xb6fc1a11],
  ['sol_log_', 0x207559bd],
  ['sol_memcpy_', 0x717cc4a3],
  ['entrypoint', 0x71e3cf81],
  ['', 0],
])('%s is called by the number that the runtime knows it by', (name, hash) => {
  expect(syscallHash(name)).toBe(hash);
});
