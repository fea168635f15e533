import { expect, test } from 'vitest';
import { createCrowd } from './crowd.ts';

test('the address with the most gives up its oldest, down to what everybody has', () => {
  const crowd = createCrowd<string>();
  for (const nth of [1, 2, 3]) crowd.add('10.0.0.1', `first ${nth}`);
  for (const nth of [1, 2]) crowd.add('10.0.0.2', `second ${nth}`);
  expect(crowd.takeFromMost('10.0.0.3')).toBe('first 1');
  crowd.add('10.0.0.3', 'third');
  expect(crowd.takeFromMost('10.0.0.4')).toBe('first 2');
  expect(crowd.takeFromMost('10.0.0.2')).toBeUndefined();
  expect(crowd.takeFromMost('10.0.0.4')).toBe('second 1');
  expect(crowd.takeFromMost('10.0.0.4')).toBeUndefined();
  expect(crowd.remove('10.0.0.1', 'first 2')).toBe(false);
  expect(crowd.remove('10.0.0.1', 'first 3')).toBe(true);
  expect(crowd.countOf('10.0.0.1')).toBe(0);
});
