import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawWinners } from './raffle-rule.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the draw', () => {
  test('follows the published rule', () => {
    const wallets = ['Carol', 'Alice', 'Bob'];
    const seed = sha256('hash\nAlice\nBob\nCarol\n');
    const expected = wallets.toSorted((a, b) => (sha256(`${seed}:${a}`) < sha256(`${seed}:${b}`) ? -1 : 1));
    expect(drawWinners('hash', wallets, 3)).toEqual(expected);
    expect(drawWinners('hash', wallets, 1)).toEqual(expected.slice(0, 1));
  });

  test('does not depend on the order of the entries and names nobody twice', () => {
    const lists = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 20 });
    fc.assert(
      fc.property(lists, fc.nat(5), (wallets, winners) => {
        const drawn = drawWinners('hash', wallets, winners);
        expect(drawn).toEqual(drawWinners('hash', wallets.toReversed(), winners));
        expect(new Set(drawn).size).toBe(Math.min(winners, wallets.length));
      }),
      { numRuns: 50 },
    );
  });

  test('gives everyone about the same chance', () => {
    const wins = { a: 0, b: 0, c: 0 };
    for (let day = 0; day < 600; day++) {
      const [winner] = drawWinners(`hash ${day}`, ['a', 'b', 'c'] as const, 1);
      wins[winner!]++;
    }
    for (const count of Object.values(wins)) expect(Math.abs(count - 200)).toBeLessThan(50);
  });
});
