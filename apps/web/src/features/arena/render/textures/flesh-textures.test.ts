import { expect, test } from 'vitest';
import { PLAYER_COLOURS } from '../../../../art/palette.ts';
import { createFleshTextures } from './flesh-textures.ts';

test('flesh is not painted before its picture is wanted: the plain canvas never wants it', () => {
  // There is no canvas to paint on here.
  const flesh = createFleshTextures(1, () => PLAYER_COLOURS).of(3);
  expect(flesh.colours).toBe(PLAYER_COLOURS[3]);
  expect(flesh.lines).toHaveLength(3);
  expect(() => flesh.picture()).toThrow('document');
});
