import { beforeAll, describe, expect, test } from 'vitest';
import { LINES } from './line.ts';
import { type LineFigures, measureLine } from './measure-line.ts';

/** A short play gives rougher figures than the benchmark, hence some slack in the percentiles. */
const EFFORT = { seconds: 40, deaths: 34 };
const GUARDED = LINES.filter(({ rttMs }) => [0, 100, 200].includes(rttMs));

describe.each(GUARDED)('steering over $rttMs ± $jitterMs ms with 2 % loss', (line) => {
  let figures: LineFigures;
  beforeAll(() => {
    figures = measureLine(line, EFFORT, 7);
  });

  test('does not stutter', () => {
    expect(figures.stutterPct).toBeLessThan(0.5);
  });

  test('answers the pointer with the next frame', () => {
    expect(figures.pointerP50Ms).toBeLessThanOrEqual(12);
    expect(figures.pointerP95Ms).toBeLessThanOrEqual(25);
  });

  test('is rarely corrected by much, even in hard turns', () => {
    expect(figures.correctionP50).toBeLessThan(2);
    expect(figures.correctionP99).toBeLessThanOrEqual(25);
  });

  test('shows a split with the next frame, and cells that push as in the room', () => {
    expect(figures.splitShownMs).toBeLessThanOrEqual(17);
    expect(Math.abs(figures.overlapExcessPct)).toBeLessThan(3);
  });

  test('shows the eater at its prey', () => {
    expect(figures.eatenFromAfarPct).toBeLessThan(3);
  });

  test('shows prey as eaten when it lies inside the own cell, and rarely takes that back', () => {
    expect(figures.engulfP50Ms).toBeLessThanOrEqual(60);
    expect(figures.engulfP90Ms).toBeLessThanOrEqual(120);
    expect(figures.wronglyEngulfedPct).toBeLessThan(6);
  });
});

test('the same seed gives the same figures', () => {
  const effort = { seconds: 8, deaths: 2 };
  expect(measureLine(LINES[3]!, effort, 5)).toEqual(measureLine(LINES[3]!, effort, 5));
});
