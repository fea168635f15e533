import { expect, test, vi } from 'vitest';
import { rememberFor } from './remember.ts';

test('callers within the time share one read, later ones and other keys read again', async () => {
  let nowMs = 0;
  const read = vi.fn(async (key: number) => key * 2);
  const remembered = rememberFor({ ms: 1_000, maxKeys: 10, nowMs: () => nowMs }, read);
  expect(await Promise.all([remembered(1), remembered(1), remembered(2)])).toEqual([2, 2, 4]);
  expect(read).toHaveBeenCalledTimes(2);
  nowMs = 1_000;
  await remembered(1);
  expect(read).toHaveBeenCalledTimes(3);
});

test('a failed read is not remembered', async () => {
  const read = vi
    .fn<(key: string) => Promise<string>>()
    .mockRejectedValueOnce(new Error('no'))
    .mockResolvedValue('yes');
  const remembered = rememberFor({ ms: 1_000, maxKeys: 10, nowMs: () => 0 }, read);
  await expect(remembered('key')).rejects.toThrow('no');
  expect(await remembered('key')).toBe('yes');
});

test('no more keys are remembered than allowed', async () => {
  const read = vi.fn(async (key: number) => key);
  const remembered = rememberFor({ ms: 1_000, maxKeys: 2, nowMs: () => 0 }, read);
  for (const key of [1, 2, 3, 3, 2, 1]) await remembered(key);
  expect(read.mock.calls.flat()).toEqual([1, 2, 3, 1]);
});
