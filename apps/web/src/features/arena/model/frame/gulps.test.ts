import { expect, test } from 'vitest';
import { type Body, createBody } from '../playout/bodies.ts';
import { advanceGulps, bulge, type Gulp, startGulp } from './gulps.ts';

function cell(radius: number): Body {
  const look = { id: 1, kind: 'cell', player: undefined, colour: 0, isOwn: false } as const;
  return createBody({ ...look, x: 0, y: 0, radius }, 0);
}

test('prey shrinks into its eater, even if that moves', () => {
  const gulps: Gulp[] = [];
  const eater = cell(100);
  startGulp(gulps, { kind: 'cell', colour: 2, x: 90, y: 0, radius: 40 }, eater, 1000);
  eater.x = 50;
  advanceGulps(gulps, 1150);
  expect(gulps[0]!.x).toBeLessThan(90);
  expect(gulps[0]!.radius).toBeLessThan(40);
  advanceGulps(gulps, 1299);
  expect(gulps[0]!.x).toBeCloseTo(50, 0);
  expect(gulps[0]!.radius).toBeCloseTo(0, 0);
  advanceGulps(gulps, 1300);
  expect(gulps).toEqual([]);
});

test('large prey makes the eater bulge for a moment, small prey does not', () => {
  const eater = cell(100);
  startGulp([], { kind: 'food', colour: 0, x: 0, y: 0, radius: 10 }, eater, 1000);
  expect(bulge(eater, 1060)).toBe(1);
  startGulp([], { kind: 'cell', colour: 0, x: 0, y: 0, radius: 60 }, eater, 1000);
  expect(bulge(eater, 1060)).toBeGreaterThan(1.01);
  expect(bulge(eater, 2000)).toBe(1);
});
