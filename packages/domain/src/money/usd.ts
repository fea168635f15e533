import { type BaseUnits, formatCut, type Token, USD } from './amount.ts';

/** What an amount is worth in micro-dollars, given the price of one whole token in micro-dollars. */
export function usdValue(amount: bigint, token: Token, priceMicroUsd: bigint): BaseUnits {
  if (amount < 0n || priceMicroUsd < 0n) {
    throw new RangeError(`neither amount nor price may be negative, got ${amount} at ${priceMicroUsd}`);
  }
  return ((amount * priceMicroUsd) / 10n ** BigInt(token.decimals)) as BaseUnits;
}

/** '$1,234.56', cut to whole cents. */
export function formatUsd(microUsd: bigint): string {
  const text = formatCut(microUsd, USD.decimals, 2);
  return `$${text.replace(/\B(?=(?:\d{3})+\.)/g, ',')}`;
}
