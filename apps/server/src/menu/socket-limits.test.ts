import { expect, test } from 'vitest';
import { createSocketLimits } from './socket-limits.ts';

test('addresses with many sockets make room for others once all places are taken, down to what each needs', () => {
  const limits = createSocketLimits(1, () => 0);
  const open = (address: string): boolean => {
    if (limits.refuseHandshake(address) !== undefined) return false;
    return limits.open(address, () => {});
  };
  for (let i = 0; i < 2_000; i++) expect(open(`10.2.0.${i % 100}`)).toBe(true);
  for (let i = 0; i < 1_000; i++) expect(open(`10.3.${i >> 8}.${i & 255}`)).toBe(true);
  expect(open('10.2.0.0')).toBe(false);
  for (let i = 0; i < 1_000; i++) open(`10.4.${i >> 8}.${i & 255}`);
  expect(open('10.5.0.0')).toBe(false);
});
