import { createArenaDecoder } from '@engulf/netcode/decode/arena-decoder';
import type { WorldHeader } from '@engulf/netcode/format/world-header';
import { expect, test } from 'vitest';
import { createShownTide, pushedFromShore, showTide } from './shown-tide.ts';

function aView(size: number, goal: number, risesAtTick = 0) {
  const { view } = createArenaDecoder();
  view.world = { worldSize: 7_000, ticksPerSecond: 25 } as WorldHeader;
  view.tick = 100;
  Object.assign(view.tide, { size, goal, risesAtTick });
  return view;
}

test('the drawn shore follows smoothly, and at once into another world', () => {
  const shown = createShownTide(7_000);
  showTide(shown, aView(3_000, 3_000), 16);
  expect(shown.size).toBe(3_000);
  showTide(shown, aView(2_990, 2_400), 16);
  expect(shown.size).toBeLessThan(3_000);
  expect(shown.size).toBeGreaterThan(2_990);
  for (let i = 0; i < 60; i++) showTide(shown, aView(2_990, 2_400), 16);
  expect(shown.size).toBeCloseTo(2_990, 1);
});

test('the time until the water comes in is counted only while it will', () => {
  const shown = createShownTide(3_000);
  showTide(shown, aView(3_000, 2_400, 225), 16);
  expect(shown.secondsToRise).toBe(5);
  showTide(shown, aView(3_000, 4_000, 225), 16);
  expect(shown.secondsToRise).toBe(0);
});

test('nothing is known of the tide before the first update', () => {
  const shown = createShownTide(7_000);
  showTide(shown, createArenaDecoder().view, 16);
  expect(shown).toEqual(createShownTide(7_000));
});

test('face and name of a flattened cell move inland, by half of what is missing', () => {
  const tide = createShownTide(2_000);
  const at = (x: number, y: number) => pushedFromShore({ worldSize: 7_000, tide }, { x, y, radius: 100 });
  expect(at(3_500, 3_500)).toEqual({ x: 0, y: 0 });
  expect(at(2_550, 3_500)).toEqual({ x: 25, y: 0 });
  expect(at(3_500, 4_450)).toEqual({ x: 0, y: -25 });
});
