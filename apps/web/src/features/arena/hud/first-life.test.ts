import { describe, expect, test } from 'vitest';
import { isLearned, LESSONS, lessonAfter } from './first-life.ts';

describe('the first life', () => {
  test('teaches to move, eat, split, eject and leave, once each', () => {
    const taught = [LESSONS[0]];
    for (let next = lessonAfter(taught[0]!); next; next = lessonAfter(next)) taught.push(next as never);
    expect(taught).toEqual(LESSONS);
  });

  test('moves to the next lesson when the player has done what it asks', () => {
    const ate = { type: 'eaten', prey: 'food', isOwnEater: true } as const;
    expect(isLearned('eat', ate)).toBe(true);
    expect(isLearned('eat', { ...ate, isOwnEater: false })).toBe(false);
    expect(isLearned('split', { type: 'split', cellCount: 2 })).toBe(true);
    expect(isLearned('eject', { type: 'ejected' })).toBe(true);
    expect(isLearned('split', { type: 'ejected' })).toBe(false);
  });
});
