import { isWalletAddress } from '@engulf/domain/ids/entity-ids';
import { formatCut, parseAmount, USD } from '@engulf/domain/money/amount';
import { SOL_CURRENCY } from '@engulf/domain/money/currency';
import { z } from 'zod';
import type { PriceReading } from './price-book.ts';

const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_DECIMALS = 18;

/** `{"prices":{"SOL":"142.35","<mint>":"0.0123"}}`: dollars for one whole token, as plain decimal texts. */
const answerSchema = z.object({ prices: z.record(z.string(), z.unknown()) });

/** Reads prices from the operator's source. Rejects when it is late, too long, or not of the documented shape. */
export async function readHttpPrices(url: string, timeoutMs: number = TIMEOUT_MS): Promise<PriceReading> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
    headers: { accept: 'application/json' },
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the price source answered ${response.status}`);
  }
  const { prices } = answerSchema.parse(JSON.parse(await readText(response)));
  const reading = new Map<string, bigint>();
  for (const [currency, price] of Object.entries(prices)) {
    const microUsd = typeof price === 'string' ? parseUsd(price) : undefined;
    if (microUsd !== undefined && (currency === SOL_CURRENCY || isWalletAddress(currency))) {
      reading.set(currency, microUsd);
    }
  }
  return reading;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer of the price source is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Micro-dollars; digits below that are cut off. */
function parseUsd(text: string): bigint | undefined {
  const exact = parseAmount(text, { symbol: USD.symbol, decimals: MAX_DECIMALS });
  return exact === undefined ? undefined : parseAmount(formatCut(exact, MAX_DECIMALS, USD.decimals), USD);
}
