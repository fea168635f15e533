import { describe, expect, test } from 'vitest';
import { growNeck, keepArea, makeDent, meetCell, meetWall, openMouth, shapeFreely } from './contacts.ts';
import { closeMouth, createMouth, MOUTH_POINTS } from './mouth.ts';
import { createSoftBody, RING_POINTS, reachAt, ripple, stepSoftBody, strike } from './soft-body.ts';

const QUARTER = RING_POINTS / 4;

function settled(shape: (body: ReturnType<typeof createSoftBody>) => void, ms = 2_000) {
  const body = createSoftBody();
  for (let passed = 0; passed < ms; passed += 16) {
    body.rest.fill(0);
    shape(body);
    stepSoftBody(body, 16);
  }
  return body;
}

describe('a membrane', () => {
  test('swings back to a circle after a strike', () => {
    const body = createSoftBody();
    strike(body, 0, 4, 0.4);
    stepSoftBody(body, 32);
    expect(body.offset[0]).toBeGreaterThan(0.02);
    expect(Math.abs(body.offset[2 * QUARTER]!)).toBeLessThan(0.005);
    for (let frame = 0; frame < 200; frame++) stepSoftBody(body, 16);
    for (const offset of body.offset) expect(Math.abs(offset)).toBeLessThan(0.002);
  });

  test.each([1, 7, 16, 33, 120, 5_000])(
    'stays bounded with frames of %d ms, however hard it is struck',
    (ms) => {
      const body = createSoftBody();
      for (let frame = 0; frame < 300; frame++) {
        if (frame % 10 === 0) {
          strike(body, frame, 60, 0.3);
          ripple(body, frame, 20);
        }
        stepSoftBody(body, ms);
        for (const offset of body.offset) {
          expect(offset).toBeGreaterThanOrEqual(-0.9);
          expect(offset).toBeLessThanOrEqual(1.2001);
        }
      }
    },
  );
});

describe('what touches a membrane', () => {
  test('a wall flattens it on that side only', () => {
    const body = settled((each) => meetWall(each, 1, 0, 0.7));
    expect(reachAt(body, 0)).toBeCloseTo(0.7, 1);
    expect(reachAt(body, Math.PI)).toBeCloseTo(1, 1);
  });

  test('two equal cells meet half way', () => {
    const body = settled((each) => meetCell(each, 1.8, 0, 1));
    expect(reachAt(body, 0)).toBeCloseTo(0.9, 1);
  });

  test('a virus makes a dent, no deeper than allowed', () => {
    const body = settled((each) => makeDent(each, 1, 0, 0.5, -0.3));
    expect(reachAt(body, 0)).toBeCloseTo(0.7, 1);
    expect(reachAt(body, Math.PI / 2)).toBeCloseTo(1, 1);
  });

  test('prey at the edge gets a dent with a lip on each side', () => {
    const body = settled((each) => openMouth(each, 1.05, 0, 0.35));
    const highest = (from: number, to: number) => Math.max(...Array.from(body.offset.slice(from, to)));
    expect(reachAt(body, 0)).toBeLessThan(0.8);
    expect(highest(2, QUARTER)).toBeGreaterThan(0.06);
    expect(highest(3 * QUARTER, RING_POINTS - 2)).toBeGreaterThan(0.06);
  });

  test('a neck grows towards a near sibling and not towards a far one', () => {
    const near = settled((each) => growNeck(each, 2.2, 0, 1, 1));
    const far = settled((each) => growNeck(each, 4, 0, 1, 1));
    expect(reachAt(near, 0)).toBeGreaterThan(1.08);
    expect(reachAt(far, 0)).toBeCloseTo(1, 2);
  });

  test('what a dent pushes in comes out elsewhere', () => {
    const body = settled((each) => {
      meetWall(each, 1, 0, 0.6);
      keepArea(each);
    });
    const mean = body.offset.reduce((sum, offset) => sum + offset, 0) / RING_POINTS;
    expect(mean).toBeGreaterThan(-0.03);
    expect(reachAt(body, Math.PI)).toBeGreaterThan(1.02);
  });

  test('a fast cell is longer than wide', () => {
    const body = settled((each) => shapeFreely(each, 0, 8, 0));
    expect(reachAt(body, 0)).toBeGreaterThan(reachAt(body, Math.PI / 2) + 0.1);
  });
});

describe('a closing mouth', () => {
  const prey = { x: 90, y: 0, radius: 30 };
  const gape = (closed: number) => {
    const mouth = createMouth();
    closeMouth(mouth, prey, { body: createSoftBody(), radius: 100, inset: 2 }, closed);
    const ys = Array.from({ length: MOUTH_POINTS }, (_, i) => mouth.opening[2 * i + 1]!);
    return { mouth, height: Math.max(...ys) - Math.min(...ys) };
  };

  test('is as wide as the prey at first and shut at the end', () => {
    expect(gape(0).height).toBeGreaterThan(2 * prey.radius);
    expect(gape(0.5).height).toBeLessThan(gape(0.2).height);
    expect(gape(1).height).toBeCloseTo(0);
  });

  test('never reaches outside the membrane of the eater', () => {
    const { opening, outer } = gape(0.1).mouth;
    for (const xy of [opening, outer]) {
      for (let i = 0; i < MOUTH_POINTS; i++) {
        expect(Math.hypot(xy[2 * i]!, xy[2 * i + 1]!)).toBeLessThan(98.01);
      }
    }
  });
});
