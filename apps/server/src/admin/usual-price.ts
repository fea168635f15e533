import { formatExactAmount } from '@engulf/domain/money/amount';
import { type LobbyRow, listAllLobbies } from '../lobbies/lobby-rows.ts';
import type { Database } from '../platform/database/open-database.ts';

type Priced = Pick<LobbyRow, 'lobbyType' | 'tokenMint' | 'tokenSymbol' | 'tokenDecimals'>;

/** Beyond this many times the dearest lobby of a token, or below that part of the cheapest. */
const TIMES = 20n;
/** In whole tokens, where no other lobby has the token. */
const USUAL = { least: 1n, perWhole: 1_000n, most: 100n };

/** What is odd about a price, so that a slip of the finger is noticed before anybody pays it. */
export async function unusualPrice(
  db: Database,
  { lobbyType, tokenMint, tokenSymbol, tokenDecimals }: Priced,
  price: bigint,
): Promise<string | undefined> {
  if (lobbyType === 'free') return undefined;
  const prices = (await listAllLobbies(db))
    .filter((row) => row.stage === 'ready' && row.lobbyType !== 'free' && row.tokenMint === tokenMint)
    .map(({ entryFee }) => entryFee);
  const [least, most] = prices.length > 0 ? around(prices) : usual(tokenDecimals);
  if (price >= least && price <= most) return undefined;
  const text = (amount: bigint) =>
    formatExactAmount(amount, { symbol: tokenSymbol, decimals: tokenDecimals });
  return `the price is unusual: ${text(price)} ${tokenSymbol}, where ${text(least)} to ${text(most)} would be expected`;
}

function around(prices: readonly bigint[]): [bigint, bigint] {
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : 1));
  return [sorted[0]! / TIMES, sorted.at(-1)! * TIMES];
}

function usual(decimals: number): [bigint, bigint] {
  const whole = 10n ** BigInt(decimals);
  return [(USUAL.least * whole) / USUAL.perWhole, USUAL.most * whole];
}
