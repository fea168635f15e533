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

test('room is made by closing the oldest socket of an address that has the most', () => {
  const limits = createSocketLimits(1, () => 0);
  const closed: string[] = [];
  const open = (address: string, name: string) => {
    expect(limits.refuseHandshake(address)).toBeUndefined();
    expect(limits.open(address, () => closed.push(name))).toBe(true);
  };
  for (let i = 0; i < 20; i++) for (let from = 0; from < 100; from++) open(`10.2.0.${from}`, `${from}: ${i}`);
  expect(closed).toEqual([]);
  for (let from = 0; from < 101; from++) open(`10.3.0.${from}`, 'newcomer');
  expect(closed).toEqual([...Array.from({ length: 100 }, (_, from) => `${from}: 0`), '0: 1']);
});
