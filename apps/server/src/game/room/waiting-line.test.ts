import { expect, test } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { createWaitingLine } from './waiting-line.ts';

/** People who come at once, and how many of them are inside. */
function arrive(count: number) {
  const clock = createManualClock();
  const turn = createWaitingLine(clock);
  let inside = 0;
  const come = (people: number) => {
    for (let i = 0; i < people; i++) void turn().then(() => inside++);
  };
  come(count);
  const insideAfter = async (ms: number) => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
    return inside;
  };
  return { come, insideAfter };
}

test('whoever comes alone does not wait', async () => {
  const { come, insideAfter } = arrive(1);
  expect(await insideAfter(0)).toBe(1);
  await insideAfter(10);
  come(1);
  expect(await insideAfter(0)).toBe(2);
});

test('a few who come at once are let in one by one', async () => {
  const { insideAfter } = arrive(4);
  const inside: number[] = [];
  for (const ms of [0, 9, 1, 10, 10]) inside.push(await insideAfter(ms));
  expect(inside).toEqual([1, 1, 2, 3, 4]);
});

test('a crowd is inside after half a second', async () => {
  const { insideAfter } = arrive(400);
  let inside = 0;
  for (let ms = 0; ms < 500; ms += 10) inside = await insideAfter(10);
  expect(inside).toBeGreaterThan(360);
  for (let ms = 0; ms < 500; ms += 10) inside = await insideAfter(10);
  expect(inside).toBe(400);
});
