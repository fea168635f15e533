import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnchorMemo, readAnchorMemo, writeAnchorMemo } from './anchor-memo.ts';

const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''));
const maybe = fc.option(hash, { nil: undefined });
const memo: fc.Arbitrary<AnchorMemo> = fc.oneof(
  fc.record({ kind: fc.constant('commit' as const), commitment: hash, terms: hash, previous: hash }),
  fc.record({
    kind: fc.constant('close' as const),
    commitment: hash,
    finalHash: maybe,
    spill: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  }),
);

test('a memo is read as it was written, and fits into a transaction', () => {
  fc.assert(
    fc.property(memo, (original) => {
      const text = writeAnchorMemo(original);
      expect(readAnchorMemo(text)).toEqual(original);
      expect(text.length).toBeLessThan(200);
      expect(readAnchorMemo(`${text} more`)).toBeUndefined();
    }),
  );
});

test('a memo that is written in another way is not one', () => {
  const [commitment, finalHash] = ['00'.repeat(32), 'ff'.repeat(32)];
  const text = writeAnchorMemo({ kind: 'close', commitment, finalHash, spill: 7n });
  const others = [text.replace('AA ', 'AB '), text.replace(/7$/, '07'), text.replace(' close', '  close')];
  expect(others.map(readAnchorMemo)).toEqual([undefined, undefined, undefined]);
});

test('any other memo is not taken for one', () => {
  fc.assert(fc.property(fc.string(), (text) => readAnchorMemo(text) === undefined));
  for (const text of ['engulf1 commit', 'engulf1 close - - 5', 'engulf2 commit a b c', ''])
    expect(readAnchorMemo(text)).toBeUndefined();
});
