import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gatherCalls } from './gather.ts';

const LIMIT = { perSecond: 5, burst: 2 };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function doubling() {
  return vi.fn(async (keys: readonly number[]) => keys.map((key) => 2 * key));
}

test('rare calls run at once, one by one', async () => {
  const work = doubling();
  const call = gatherCalls(LIMIT, work);
  expect(await call(1)).toBe(2);
  expect(await call(2)).toBe(4);
  expect(work.mock.calls).toEqual([[[1]], [[2]]]);
});

test('calls during a run share the next one, each with its own result', async () => {
  const work = doubling();
  const call = gatherCalls(LIMIT, work);
  expect(await Promise.all([1, 2, 3, 4, 5].map(call))).toEqual([2, 4, 6, 8, 10]);
  expect(work.mock.calls).toEqual([[[1]], [[2, 3, 4, 5]]]);
});

test('runs never overlap, so the order is kept', async () => {
  const done: number[] = [];
  const call = gatherCalls({ perSecond: 100, burst: 100 }, async (keys: readonly number[]) => {
    await new Promise((resolve) => setTimeout(resolve, keys.includes(1) ? 100 : 1));
    done.push(...keys);
    return keys;
  });
  const answers = Promise.all([1, 2, 3].map(call));
  await vi.advanceTimersByTimeAsync(200);
  await answers;
  expect(done).toEqual([1, 2, 3]);
});

test('calls above the limit wait for the next run', async () => {
  const work = doubling();
  const call = gatherCalls(LIMIT, work);
  await call(1);
  await call(2);
  const answers = Promise.all([3, 4].map(call));
  await vi.advanceTimersByTimeAsync(199);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(2);
  expect(work).toHaveBeenLastCalledWith([3, 4]);
  expect(await answers).toEqual([6, 8]);
});

test('a flood costs no more than the limit', async () => {
  const work = doubling();
  const call = gatherCalls(LIMIT, work);
  for (let ms = 0; ms < 2_000; ms += 10) {
    void call(ms);
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(work.mock.calls.length).toBeLessThanOrEqual(2 + 2 * LIMIT.perSecond);
  expect(work.mock.calls.flatMap(([keys]) => keys).length).toBeGreaterThan(150);
});

test('a call that fails does not affect the others', async () => {
  const call = gatherCalls(LIMIT, async (keys: readonly number[]) => {
    if (keys.includes(4)) throw new Error('four');
    return keys;
  });
  await call(1);
  await call(2);
  const answers = Promise.allSettled([3, 4, 5].map(call));
  await vi.advanceTimersByTimeAsync(500);
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
