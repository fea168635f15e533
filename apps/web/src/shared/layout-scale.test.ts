import { expect, test } from 'vitest';
import { fitScale, isWindowTooNarrow } from './layout-scale.ts';

test.each([
  [{ widthPx: 1920, heightPx: 1080 }, 1],
  [{ widthPx: 960, heightPx: 1080 }, 0.5],
  [{ widthPx: 3840, heightPx: 1620 }, 1.5],
])('a window of %j scales the HUD by %d', (window, scale) => {
  expect(fitScale(window)).toBe(scale);
});

test('a window of 1100 px is wide enough, one of 1099 px is not', () => {
  expect(isWindowTooNarrow(1099)).toBe(true);
  expect(isWindowTooNarrow(1100)).toBe(false);
});
