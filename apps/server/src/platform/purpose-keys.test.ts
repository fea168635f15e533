import { expect, test } from 'vitest';
import { deriveKeys } from './purpose-keys.ts';

const texts = (secret: string) =>
  Object.values(deriveKeys(secret)).map((key) => Buffer.from(key).toString('hex'));

test('every purpose has a key of its own, and another secret gives other keys', () => {
  const keys = [...texts('one secret'), ...texts('another secret')];
  expect(new Set(keys).size).toBe(keys.length);
});

test('processes that know the same secret derive the same keys, whatever their version', () => {
  const { tickets } = deriveKeys('one secret');
  expect(Buffer.from(tickets).toString('hex')).toBe(
    'd66e679f4ec829c99e6a73d0cb20e699c79408ce3bc1cedc7a4cade6d3d565bc',
  );
});
