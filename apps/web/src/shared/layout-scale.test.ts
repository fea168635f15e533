import { expect, test } from 'vitest';
import { fitMenu, hudScale, isWindowTooNarrow, ownHudScale } from './layout-scale.ts';

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

test.each([
  [{ widthPx: 1920, heightPx: 1080 }, 1.5, 1.1868],
  [{ widthPx: 1920, heightPx: 1080 }, 0.75, 0.75],
  [{ widthPx: 1366, heightPx: 650 }, 1.5, 0.7143],
  [{ widthPx: 1100, heightPx: 540 }, 1, 0.5934],
])(
  'a window of %j with interface size %d has panels of %d, so that none lies on another',
  (window, size, scale) => {
    expect(ownHudScale(window, size)).toBeCloseTo(scale, 3);
  },
);

test.each([
  [{ widthPx: 1920, heightPx: 1080 }, 1, 1, 'short'],
  [{ widthPx: 1920, heightPx: 1080 }, 1.5, 1.5, 'small tight short low'],
  [{ widthPx: 1920, heightPx: 1080 }, 0.75, 0.75, ''],
  [{ widthPx: 2560, heightPx: 1440 }, 1, 1.25, ''],
  [{ widthPx: 2560, heightPx: 1440 }, 1.5, 1.875, 'small short low'],
  [{ widthPx: 1280, heightPx: 720 }, 1, 1, 'small tight short low'],
  [{ widthPx: 1280, heightPx: 720 }, 1.5, 1.1613, 'small narrow short low'],
  [{ widthPx: 1100, heightPx: 540 }, 1.5, 1, 'small narrow short low'],
])(
  'a window of %j with interface size %d has a menu of %d in the layout "%s"',
  (window, size, scale, layout) => {
    const menu = fitMenu(window, size);
    expect(menu.scale).toBeCloseTo(scale, 3);
    expect(menu.fits.join(' ')).toBe(layout);
  },
);
