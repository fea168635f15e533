import type { Brand } from '../ids/entity-ids.ts';

/** An amount in the smallest unit of its token (lamports for SOL). Never negative. */
export type BaseUnits = Brand<bigint, 'BaseUnits'>;

export type Token = {
  readonly symbol: string;
  readonly decimals: number;
  /** If people are used to fewer than three. */
  readonly shownDecimals?: number;
};

export const SOL: Token = { symbol: 'SOL', decimals: 9 };
/** Dollars are counted in micro-dollars: prices, USD values and the notional money of free lobbies. */
export const USD: Token = { symbol: 'USD', decimals: 6, shownDecimals: 2 };

/**
 * Rewards, pools and rankings show this many decimals, cut off rather than rounded: never more than there is.
 */
const SHOWN_DECIMALS = 3;
/** Longer than any amount of any token. Bounds the work on a hostile text. */
const MAX_AMOUNT_TEXT_LENGTH = 80;

export function baseUnits(amount: bigint): BaseUnits {
  if (amount < 0n) throw new RangeError(`an amount must not be negative, got ${amount}`);
  return amount as BaseUnits;
}

/** For display, truncated to three decimals, or cents: 1234567899 lamports read '1.234'. */
export function formatAmount(amount: bigint, { decimals, shownDecimals = SHOWN_DECIMALS }: Token): string {
  return formatCut(amount, decimals, Math.min(shownDecimals, decimals));
}

/** Exact, without trailing zeros: what a player is asked to pay. `parseAmount` reads it back. */
export function formatExactAmount(amount: bigint, { decimals }: Token): string {
  const text = formatCut(amount, decimals, decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Parses a plain decimal number. Undefined for anything else, and for digits below the smallest unit. */
export function parseAmount(text: string, { decimals }: Token): BaseUnits | undefined {
  if (text.length > MAX_AMOUNT_TEXT_LENGTH) return undefined;
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) return undefined;
  return BigInt(match[1] + fraction.padEnd(decimals, '0')) as BaseUnits;
}

/** What an amount is worth in micro-dollars, given the price of one whole token in micro-dollars. */
export function usdValue(amount: bigint, token: Token, priceMicroUsd: bigint): BaseUnits {
  if (amount < 0n || priceMicroUsd < 0n) {
    throw new RangeError(`neither amount nor price may be negative, got ${amount} at ${priceMicroUsd}`);
  }
  return ((amount * priceMicroUsd) / 10n ** BigInt(token.decimals)) as BaseUnits;
}

/** '$1,234.56', truncated to whole cents. */
export function formatUsd(microUsd: bigint): string {
  const text = formatCut(microUsd, USD.decimals, 2);
  return `$${text.replace(/\B(?=(?:\d{3})+\.)/g, ',')}`;
}

/** Truncates a fixed-point number of `decimals` places to `shown` of them. */
export function formatCut(amount: bigint, decimals: number, shown: number): string {
  if (amount < 0n) throw new RangeError(`an amount must not be negative, got ${amount}`);
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).slice(0, shown);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
