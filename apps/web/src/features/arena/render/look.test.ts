import { expect, test } from 'vitest';
import { PLAIN_LOOK } from '../../../testing/arena-fixtures.ts';
import { hasLightGround } from './look.ts';

const look = { ...PLAIN_LOOK, backgroundColor: undefined };

test('the ground is as light as the theme, or as the colour that the player chose', () => {
  expect(hasLightGround({ ...look, isDark: true })).toBe(false);
  expect(hasLightGround({ ...look, isDark: false })).toBe(true);
  expect(hasLightGround({ ...look, isDark: true, backgroundColor: '#f2ecdb' })).toBe(true);
  expect(hasLightGround({ ...look, isDark: false, backgroundColor: '#10131f' })).toBe(false);
});
