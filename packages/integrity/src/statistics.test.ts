import { expect, test } from 'vitest';
import { discoveries, heavyTail, normalTail, poissonTail, rankSurplus } from './statistics.ts';

test('tails are those of the tables, also far out', () => {
  expect(normalTail(1.96)).toBeCloseTo(0.025, 4);
  expect(normalTail(6) / 9.866e-10).toBeCloseTo(1, 2);
  expect(poissonTail(3, 0.5)).toBeCloseTo(0.01439, 4);
  expect(poissonTail(1_000, 900) / 5.8e-4).toBeGreaterThan(0.7);
  expect(poissonTail(1_000, 900) / 5.8e-4).toBeLessThan(1.4);
  expect(poissonTail(560, 800)).toBe(1);
  expect(heavyTail(2.447)).toBeCloseTo(0.025, 3);
  expect(heavyTail(8.001) / heavyTail(7.999)).toBeCloseTo(1, 2);
});

test('ranks have the mean and variance of shuffling', () => {
  const values = [1, 2, 2, 3, 5, 8, 8, 9];
  const surpluses: number[] = [];
  for (let i = 0; i < values.length; i++) {
    for (let k = i + 1; k < values.length; k++) {
      const others = values.filter((_, index) => index !== i && index !== k);
      surpluses.push(rankSurplus([values[i]!, values[k]!], others).surplus);
    }
  }
  const mean = surpluses.reduce((sum, value) => sum + value, 0) / surpluses.length;
  const variance = surpluses.reduce((sum, value) => sum + (value - mean) ** 2, 0) / surpluses.length;
  expect(mean).toBeCloseTo(0);
  expect(rankSurplus([1, 2], [2, 3, 5, 8, 8, 9]).variance).toBeCloseTo(variance, 6);
});

test('the rate of false discoveries is that of Benjamini and Hochberg', () => {
  expect(discoveries([0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216], 0.05)).toBe(2);
  expect(discoveries([0.5, 0.6], 0.05)).toBe(0);
});
