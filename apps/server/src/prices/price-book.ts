import type { Currency } from '@engulf/domain/money/currency';

/** Dollars for one whole token, in micro-dollars. */
export type PriceReading = ReadonlyMap<Currency, bigint>;

/** A price is not given out when it is older than this. */
export const MAX_AGE_MS = 90_000;
/** Above ten million dollars for one token, the unit must be wrong. */
const MAX_MICRO_USD = 10_000_000_000_000n;
/** A larger jump waits until a second reading confirms it. */
const MAX_JUMP_PERCENT = 20n;
/** How close the second reading must come to the first. */
const CONFIRMING_PERCENT = 5n;

type Known = {
  readonly microUsd: bigint;
  readonly readAtMs: number;
  /** A reading too far from the price; taken when the next one agrees with it. */
  readonly unconfirmed?: bigint | undefined;
};

/** The last good price of each currency. */
export type PriceBook = ReadonlyMap<Currency, Known>;

export const EMPTY_BOOK: PriceBook = new Map();

/** A currency that the reading does not name keeps its price and its age. */
export function noteReading(book: PriceBook, reading: PriceReading, nowMs: number): PriceBook {
  const next = new Map(book);
  for (const [currency, microUsd] of reading) {
    if (microUsd <= 0n || microUsd > MAX_MICRO_USD) continue;
    next.set(currency, noteOne(book.get(currency), microUsd, nowMs));
  }
  return next;
}

function noteOne(known: Known | undefined, microUsd: bigint, nowMs: number): Known {
  const isBelievable =
    known === undefined ||
    isWithin(microUsd, known.microUsd, MAX_JUMP_PERCENT) ||
    (known.unconfirmed !== undefined && isWithin(microUsd, known.unconfirmed, CONFIRMING_PERCENT));
  return isBelievable ? { microUsd, readAtMs: nowMs } : { ...known, unconfirmed: microUsd };
}

function isWithin(price: bigint, of: bigint, percent: bigint): boolean {
  const distance = price > of ? price - of : of - price;
  return distance * 100n <= of * percent;
}

/** Undefined while no fresh price is known. */
export function freshPrice(book: PriceBook, currency: Currency, nowMs: number): bigint | undefined {
  const known = book.get(currency);
  const isFresh = known !== undefined && nowMs - known.readAtMs <= MAX_AGE_MS;
  return isFresh ? known.microUsd : undefined;
}
