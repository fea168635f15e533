import { expect, test } from 'vitest';
import { isRegionName, isSameRegion } from './region.ts';

test('a name of a region is short and has nothing that a menu could not show', () => {
  for (const name of ['eu', 'EU West', 'ap-south 1', 'São Paulo', 'x'.repeat(24)])
    expect(isRegionName(name)).toBe(true);
  for (const name of ['', ' eu', 'eu ', '-', 'a<b', 'a\nb', 'x'.repeat(25)])
    expect(isRegionName(name)).toBe(false);
});

test('a lobby runs in its region; without one, or in a process without one, anywhere', () => {
  expect(isSameRegion('eu', 'eu')).toBe(true);
  expect(isSameRegion('eu', 'us')).toBe(false);
  expect(isSameRegion(null, 'us')).toBe(true);
  expect(isSameRegion('eu', null)).toBe(true);
});
