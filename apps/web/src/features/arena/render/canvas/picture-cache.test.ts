import { expect, test } from 'vitest';
import { createPictureCache } from './picture-cache.ts';

test('a picture cache paints a picture once and drops the least recently used', () => {
  const take = createPictureCache<{ width: number; height: number }>(300);
  const painted: string[] = [];
  const use = (key: string, side = 10) =>
    take(key, () => {
      painted.push(key);
      return { width: side, height: side };
    });
  for (const key of ['a', 'b', 'c', 'a']) use(key);
  expect(painted).toEqual(['a', 'b', 'c']);
  // No room for a fourth: b has to go.
  use('d');
  for (const key of ['a', 'c', 'd']) use(key);
  expect(painted).toEqual(['a', 'b', 'c', 'd']);
  use('b');
  expect(painted).toEqual(['a', 'b', 'c', 'd', 'b']);
  // One that is larger than the shelf is kept alone.
  use('wall', 40);
  use('wall', 40);
  use('a');
  expect(painted.slice(5)).toEqual(['wall', 'a']);
});

test('a picture that its painter declines is asked for again', () => {
  const take = createPictureCache<{ width: number; height: number }>(300);
  const picture = { width: 10, height: 10 };
  expect(take('a', () => undefined)).toBeUndefined();
  expect(take('a', () => picture)).toBe(picture);
  expect(take('a', () => undefined)).toBe(picture);
});
