import { expect, test } from 'vitest';
import { hudScale, isWindowTooNarrow } from './layout-scale.ts';

test.each([
  [{ widthPx: 1920, heightPx: 1080 }, 1],
  [{ widthPx: 1280, heightPx: 720 }, 0.7866],
  [{ widthPx: 1600, heightPx: 480 }, 0.72],
  [{ widthPx: 2560, heightPx: 1440 }, 1.3333],
  [{ widthPx: 3840, heightPx: 1620 }, 1.5],
  [{ widthPx: 3840, heightPx: 2160 }, 2],
])('a window of %j scales the HUD by %d', (window, scale) => {
  expect(hudScale(window)).toBeCloseTo(scale, 3);
});

test('a window of 1100 px is wide enough, one of 1099 px is not', () => {
  expect(isWindowTooNarrow(1099)).toBe(true);
  expect(isWindowTooNarrow(1100)).toBe(false);
});
