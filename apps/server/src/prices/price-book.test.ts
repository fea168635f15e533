import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_BOOK, freshPrice, MAX_AGE_MS, noteReading, type PriceBook } from './price-book.ts';

const USD = 1_000_000n;

/** One reading of SOL every 20 s, starting at 0. Returns the price after each. */
function follow(readings: readonly bigint[]): (bigint | undefined)[] {
  let book: PriceBook = EMPTY_BOOK;
  return readings.map((microUsd, index) => {
    const nowMs = index * 20_000;
    book = noteReading(book, new Map([['SOL', microUsd]]), nowMs);
    return freshPrice(book, 'SOL', nowMs);
  });
}

test('a price is given out until it is too old, and never afterwards', () => {
  const book = noteReading(EMPTY_BOOK, new Map([['SOL', 150n * USD]]), 1_000);
  expect(freshPrice(book, 'SOL', 1_000 + MAX_AGE_MS)).toBe(150n * USD);
  expect(freshPrice(book, 'SOL', 1_001 + MAX_AGE_MS)).toBeUndefined();
  expect(freshPrice(book, 'other', 1_000)).toBeUndefined();
});

test('a jump is held until a second reading confirms it', () => {
  expect(follow([150n * USD, 300n * USD, 301n * USD])).toEqual([150n * USD, 150n * USD, 301n * USD]);
  expect(follow([150n * USD, 300n * USD, 151n * USD])).toEqual([150n * USD, 150n * USD, 151n * USD]);
});

test('jumps that contradict each other leave no price once the last good one is old', () => {
  const readings = [150n, 300n, 10n, 700n, 20n, 900n].map((dollars) => dollars * USD);
  expect(follow(readings)).toEqual([...Array(5).fill(150n * USD), undefined]);
});

test('a held jump does not make the old price any younger', () => {
  let book = noteReading(EMPTY_BOOK, new Map([['SOL', 150n * USD]]), 0);
  book = noteReading(book, new Map([['SOL', 400n * USD]]), MAX_AGE_MS);
  expect(freshPrice(book, 'SOL', MAX_AGE_MS + 1)).toBeUndefined();
});

test('implausible prices are ignored', () => {
  expect(follow([0n, -5n, 10n ** 13n + 1n])).toEqual([undefined, undefined, undefined]);
});

test('whatever is read, the price never moves by more than a fifth without two readings that agree', () => {
  const price = fc.bigInt({ min: -10n, max: 10n ** 14n });
  fc.assert(
    fc.property(fc.array(price, { maxLength: 30 }), (readings) => {
      const shown = follow(readings);
      for (const [index, now] of shown.entries()) {
        const before = shown[index - 1];
        if (now === undefined || before === undefined || now === before) continue;
        const isSmall = abs(now - before) * 5n <= before;
        // Implausible readings are ignored, also between two that agree.
        const last = readings.slice(0, index).findLast((reading) => reading > 0n && reading <= 10n ** 13n)!;
        const isConfirmed = abs(readings[index]! - last) * 20n <= last;
        expect(now).toBe(readings[index]);
        expect(isSmall || isConfirmed).toBe(true);
      }
    }),
    { examples: [[[2n, 1n, 0n, 1n]]] },
  );
});

const abs = (value: bigint) => (value < 0n ? -value : value);
