import { describe, expect, test } from 'vitest';
import { measureNormals, reachOf, traceOutline, tracePolygon } from './outline.ts';

const POINTS = 64;

function circle(radius: number): Float32Array {
  const outline = new Float32Array(POINTS * 2);
  for (let i = 0; i < POINTS; i++) {
    outline[2 * i] = radius * Math.cos((i / POINTS) * 2 * Math.PI);
    outline[2 * i + 1] = radius * Math.sin((i / POINTS) * 2 * Math.PI);
  }
  return outline;
}

/** The ends of the curves. */
function trace(outline: Float32Array, inset: number, step: number): { x: number; y: number }[] {
  const normals = new Float32Array(outline.length);
  const ends: { x: number; y: number }[] = [];
  let isClosed = false;
  measureNormals(outline, normals, step);
  traceOutline(
    {
      moveTo: () => {},
      lineTo: () => {},
      quadraticCurveTo: (_cx, _cy, x, y) => ends.push({ x, y }),
      closePath: () => {
        isClosed = true;
      },
    },
    outline,
    normals,
    inset,
    step,
  );
  expect(isClosed).toBe(true);
  return ends;
}

describe('an outline', () => {
  test.each([1, 2, 4])('lies by the inset inside the cell, with every point of %i', (step) => {
    for (const inset of [0, 7, -5]) {
      const ends = trace(circle(100), inset, step);
      expect(ends).toHaveLength(POINTS / step);
      // The middles of a polygon's sides are a little nearer to the centre than its corners.
      const reach = (100 - inset) * Math.cos((Math.PI * step) / POINTS);
      for (const { x, y } of ends) expect(Math.hypot(x, y)).toBeCloseTo(reach, 3);
    }
  });

  test.each([1, 2, 4])('is a polygon of every point of %i where it is small', (step) => {
    const outline = circle(100);
    const normals = new Float32Array(outline.length);
    const corners: number[] = [];
    let isClosed = false;
    measureNormals(outline, normals, step);
    const pen = {
      moveTo: (x: number, y: number) => corners.push(Math.hypot(x, y)),
      lineTo: (x: number, y: number) => corners.push(Math.hypot(x, y)),
      quadraticCurveTo: () => {},
      closePath: () => {
        isClosed = true;
      },
    };
    tracePolygon(pen, outline, normals, 7, step);
    expect(corners).toHaveLength(POINTS / step);
    for (const reach of corners) expect(reach).toBeCloseTo(93, 3);
    expect(isClosed).toBe(true);
  });

  test('reaches as far as its furthest point', () => {
    const outline = circle(100);
    expect(reachOf(outline)).toBeCloseTo(100, 3);
    outline[20] = 120;
    outline[21] = -50;
    expect(reachOf(outline)).toBeCloseTo(130, 3);
  });

  test('looks straight into the cell at the bottom of a dent', () => {
    const outline = circle(100);
    const dent = 100 * (1 - 0.6);
    for (const i of [15, 16, 17]) {
      outline[2 * i] = dent * Math.cos((i / POINTS) * 2 * Math.PI);
      outline[2 * i + 1] = dent * Math.sin((i / POINTS) * 2 * Math.PI);
    }
    const normals = new Float32Array(outline.length);
    measureNormals(outline, normals, 1);
    expect(Math.hypot(normals[32]!, normals[33]!)).toBeCloseTo(1, 5);
    // The bottom of the dent looks straight to the centre.
    expect([normals[32]!, normals[33]!]).toEqual([expect.closeTo(0, 3), expect.closeTo(-1, 3)]);
  });
});
