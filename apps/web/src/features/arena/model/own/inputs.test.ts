import { describe, expect, test } from 'vitest';
import { acknowledge, createInputs, draftPointer, type Inputs, leadMs, noteSent } from './inputs.ts';

const STEP_MS = 40;

function sendMany(inputs: Inputs, count: number, everyMs = 50): number[] {
  return Array.from({ length: count }, (_, i) => noteSent(inputs, 'steer', i, 0, i * everyMs));
}

describe('inputs under way', () => {
  test('are taken in order, up to the one that the room names', () => {
    const inputs = createInputs();
    const numbers = sendMany(inputs, 5);
    expect(acknowledge(inputs, numbers[2]!, 10, STEP_MS, 300).map(({ x }) => x)).toEqual([0, 1, 2]);
    expect(acknowledge(inputs, numbers[2]!, 11, STEP_MS, 300)).toEqual([]);
    expect(inputs.underWay.map(({ x }) => x)).toEqual([3, 4]);
  });

  test('stay under way when the room names a number that was not sent', () => {
    const inputs = createInputs();
    sendMany(inputs, 3);
    for (const number of [0, 4, 77, 255, -1, Number.NaN]) {
      expect(acknowledge(inputs, number, 10, STEP_MS, 200)).toEqual([]);
    }
    expect(inputs.underWay).toHaveLength(3);
  });

  test('keep their order when the numbers start again', () => {
    const inputs = createInputs();
    const numbers = sendMany(inputs, 300, 1);
    expect(Math.max(...numbers)).toBe(255);
    acknowledge(inputs, numbers[289]!, 10, STEP_MS, 300);
    expect(inputs.underWay.map(({ x }) => x)).toEqual([290, 291, 292, 293, 294, 295, 296, 297, 298, 299]);
    expect(acknowledge(inputs, numbers[299]!, 11, STEP_MS, 300)).toHaveLength(10);
  });

  test('are given up with their connection', () => {
    const inputs = createInputs();
    sendMany(inputs, 2);
    acknowledge(inputs, 99, 10, STEP_MS, 3_020);
    expect(inputs.underWay.map(({ x }) => x)).toEqual([1]);
  });

  test('replace the pointers that waited before them', () => {
    const inputs = createInputs();
    draftPointer(inputs, 1, 1, 0);
    draftPointer(inputs, 2, 2, 8);
    noteSent(inputs, 'split', 0, 0, 9);
    expect(inputs.drafts).toHaveLength(2);
    noteSent(inputs, 'steer', 2, 2, 10);
    expect(inputs.drafts).toEqual([]);
  });
});

describe('the lead of the room', () => {
  test('is learnt from when inputs took effect, even if a few of them were delayed', () => {
    const inputs = createInputs();
    const uplinkMs = 90;
    for (let i = 0; i < 60; i++) {
      const atMs = i * 51;
      const lateMs = i % 9 === 0 ? 250 : 0;
      const number = noteSent(inputs, 'steer', i, 0, atMs);
      acknowledge(inputs, number, Math.ceil((atMs + uplinkMs + lateMs) / STEP_MS), STEP_MS, atMs + 200);
    }
    expect(Math.abs(leadMs(inputs, -20) - uplinkMs)).toBeLessThan(8);
  });

  test('never puts a received state into the future', () => {
    const inputs = createInputs();
    expect(leadMs(inputs, 1_000)).toBeGreaterThanOrEqual(-1_000);
    const number = noteSent(inputs, 'steer', 0, 0, 1_500);
    acknowledge(inputs, number, 5, STEP_MS, 1_600);
    expect(leadMs(inputs, 1_000)).toBe(-1_000);
  });
});
