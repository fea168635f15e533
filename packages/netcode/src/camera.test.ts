import { standardRules } from '@engulf/sim/rules';
import { massToRadius } from '@engulf/sim/size';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAMERA_ZOOM, clampSpectatorZoom, clampUserZoom, coverScale, playerZoom } from './camera.ts';

const mass = fc.double({ min: 0, max: 1e6, noNaN: true });

describe('playerZoom', () => {
  test('is 1.304 at spawn, 1.956 with the user zoom fully in, and at its minimum from mass 2500 on', () => {
    expect(playerZoom(0)).toBeCloseTo(1.304);
    expect(playerZoom(40)).toBeCloseTo(1.304);
    expect(playerZoom(40, 1.5)).toBeCloseTo(CAMERA_ZOOM.max);
    expect(playerZoom(2000)).toBeGreaterThan(CAMERA_ZOOM.min);
    expect(playerZoom(2500)).toBe(CAMERA_ZOOM.min);
    expect(playerZoom(20_000)).toBe(CAMERA_ZOOM.min);
  });

  test('stays within its limits and never moves closer as a player grows', () => {
    fc.assert(
      fc.property(mass, mass, fc.double({ min: -1, max: 9, noNaN: true }), (some, more, userZoom) => {
        const zoom = playerZoom(some, userZoom);
        expect(zoom >= CAMERA_ZOOM.min && zoom <= CAMERA_ZOOM.max).toBe(true);
        expect(playerZoom(some + more, userZoom)).toBeLessThanOrEqual(zoom);
        expect(zoom).toBeGreaterThanOrEqual(playerZoom(some));
      }),
    );
  });
});

describe('the largest own cell', () => {
  /** Of the height of a window, in which `aspect` times as much is seen across. */
  const shareOfHeight = (mass: number, aspect = 16 / 9) => {
    const screen = { widthPx: 1080 * aspect, heightPx: 1080 };
    const diameter = 2 * massToRadius(standardRules.size, mass);
    return (diameter * playerZoom(mass) * coverScale(screen)) / screen.heightPx;
  };

  test('takes at most 45 % of the height at mass 5,000, and never more than 60 %', () => {
    expect(shareOfHeight(5_000)).toBeLessThanOrEqual(0.45);
    for (let mass = 10; mass <= standardRules.cells.maxMass; mass += 10) {
      expect(shareOfHeight(mass)).toBeLessThanOrEqual(0.6);
      // A window of which the browser takes a part: 1920 by 950.
      expect(shareOfHeight(mass, 1920 / 950)).toBeLessThanOrEqual(0.6);
    }
  });

  test('is large enough to be read from the start', () => {
    expect(shareOfHeight(standardRules.spawn.mass)).toBeGreaterThan(0.1);
  });
});

test.each([
  [0.5, 1],
  [1.2, 1.2],
  [2, 1.5],
])('a user zoom of %d is clamped to %d', (zoom, clamped) => {
  expect(clampUserZoom(zoom)).toBe(clamped);
});

test.each([
  [0.01, 0.08],
  [0.12, 0.12],
  [9, 3],
])('a spectator zoom of %d is clamped to %d', (zoom, clamped) => {
  expect(clampSpectatorZoom(zoom)).toBe(clamped);
});
