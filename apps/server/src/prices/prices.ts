import { type Currency, SOL_CURRENCY } from '@engulf/domain/money/currency';
import type { Logger } from 'pino';
import { readHttpPrices } from './http-provider.ts';
import { EMPTY_BOOK, freshPrice, MAX_AGE_MS, noteReading, type PriceReading } from './price-book.ts';

/** Where prices come from. */
export type PriceProvider = () => Promise<PriceReading>;

/** Prices for display. No money is moved by them. */
export type Prices = {
  /** Micro-dollars for one whole token. Undefined while no fresh price is known. */
  microUsdOf(currency: Currency): bigint | undefined;
  /** The current prices, for callers that need them a little later. */
  quote(): (currency: Currency) => bigint | undefined;
  /** The prices are examples, because the money is play money. */
  readonly areExamples: boolean;
  /** How long a client may show a price that it was sent. */
  readonly maxAgeMs: number;
  close(): void;
};

export type PriceConfig =
  | { readonly kind: 'none' }
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'constant'; readonly microUsdPerSol: bigint; readonly isExample: boolean };

type PriceDeps = { readonly logger: Logger; nowMs(): number };

const READ_EVERY_MS = 20_000;

const EXAMPLE_TOKEN_MICRO_USD = 20_000n;

/** `testMint` is the token of the embedded chain. */
export function openPrices(
  config: PriceConfig,
  { testMint, ...deps }: PriceDeps & { readonly testMint: Currency | undefined },
): Prices {
  switch (config.kind) {
    case 'none':
      return constantPrices(new Map(), false);
    case 'constant': {
      const prices = new Map([[SOL_CURRENCY, config.microUsdPerSol]]);
      if (testMint !== undefined) prices.set(testMint, EXAMPLE_TOKEN_MICRO_USD);
      return constantPrices(prices, config.isExample);
    }
    case 'http':
      return followProvider(() => readHttpPrices(config.url), deps);
  }
}

/** A constant does not age. */
function constantPrices(reading: PriceReading, areExamples: boolean): Prices {
  return {
    microUsdOf: (currency) => reading.get(currency),
    quote: () => (currency) => reading.get(currency),
    areExamples,
    maxAgeMs: MAX_AGE_MS,
    close: () => undefined,
  };
}

/** Reads at once and then by a timer; callers get the last known prices. */
export function followProvider(read: PriceProvider, { logger, nowMs }: PriceDeps): Prices {
  let book = EMPTY_BOOK;
  let isReading = false;
  const refresh = async () => {
    if (isReading) return;
    isReading = true;
    try {
      book = noteReading(book, await read(), nowMs());
    } catch (error) {
      // The address may contain a key, and so may the cause of a failed request.
      const reason = error instanceof Error ? error.name : 'unknown';
      logger.warn({ code: 'PRICES_UNAVAILABLE', reason }, 'the prices could not be read');
    } finally {
      isReading = false;
    }
  };
  void refresh();
  const timer = setInterval(refresh, READ_EVERY_MS);
  timer.unref();
  return {
    microUsdOf: (currency) => freshPrice(book, currency, nowMs()),
    quote: () => {
      const [quoted, quotedAtMs] = [book, nowMs()];
      return (currency) => freshPrice(quoted, currency, quotedAtMs);
    },
    areExamples: false,
    maxAgeMs: MAX_AGE_MS,
    close: () => clearInterval(timer),
  };
}
