import { describe, expect, test } from 'vitest';
import { createCheering } from './cheers.ts';

describe('cheers', () => {
  test('are for a better rank, and not for the one that a life begins with', () => {
    const cheering = createCheering();
    expect([7, 9, 4, 6, 4, 1, 2, 1].map((rank) => cheering.noteRank(rank))).toEqual([
      undefined,
      undefined,
      { kind: 'rank', rank: 4 },
      undefined,
      undefined,
      { kind: 'first' },
      undefined,
      undefined,
    ]);
  });

  test('are for each milestone once, and for the largest of several', () => {
    const cheering = createCheering();
    expect([40, 99, 101, 90, 120, 700, 400].map((mass) => cheering.noteMass(mass))).toEqual([
      undefined,
      undefined,
      { kind: 'mass', mass: 100 },
      undefined,
      undefined,
      { kind: 'mass', mass: 500 },
      undefined,
    ]);
  });

  test('are for kills that follow each other soon', () => {
    const cheering = createCheering();
    expect([0, 5_000, 10_000, 40_000].map((nowMs) => cheering.noteKill(nowMs))).toEqual([
      undefined,
      { kind: 'streak', kills: 2 },
      { kind: 'streak', kills: 3 },
      undefined,
    ]);
  });
});
