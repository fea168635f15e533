/** What amounts are counted in: SOL, or a token by its mint. */
export type Currency = string;

export const SOL_CURRENCY: Currency = 'SOL';

export function currencyOf(tokenMint: string | null): Currency {
  return tokenMint ?? SOL_CURRENCY;
}
