import { expect, test } from 'vitest';
import { isWindowTooNarrow, LAYOUT_REFERENCE, layoutScale } from './layout-scale.ts';

test.each([
  [{ widthPx: 1920, heightPx: 1080 }, LAYOUT_REFERENCE.game, 1],
  [{ widthPx: 960, heightPx: 1080 }, LAYOUT_REFERENCE.game, 0.5],
  [{ widthPx: 3840, heightPx: 1620 }, LAYOUT_REFERENCE.game, 1.5],
  [{ widthPx: 1700, heightPx: 475 }, LAYOUT_REFERENCE.menu, 0.5],
])('%j against %j scales by %d', (window, reference, scale) => {
  expect(layoutScale(window, reference)).toBe(scale);
});

test('1100 px are wide enough', () => {
  expect(isWindowTooNarrow(1099)).toBe(true);
  expect(isWindowTooNarrow(1100)).toBe(false);
});
