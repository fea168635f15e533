import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KILL_WORDS, pickKillWord } from './kill-banner-timing.ts';

describe('pickKillWord', () => {
  test('reaches every word, and only words', () => {
    const picked = KILL_WORDS.map((_word, index) => pickKillWord((index + 0.5) / KILL_WORDS.length));
    expect(picked).toEqual([...KILL_WORDS]);
    expect(pickKillWord(0).word).toBe('ANNIHILATED');
    expect(pickKillWord(1).word).toBe('ROBBED');
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        expect(KILL_WORDS).toContain(pickKillWord(random));
      }),
    );
  });

  test('gives each its own colour', () => {
    expect(new Set(KILL_WORDS.map(({ colour }) => colour)).size).toBe(12);
  });
});
