import type { Brand } from './brand.ts';

/** An amount in the smallest unit of its token (lamports for SOL). Never negative. */
export type BaseUnits = Brand<bigint, 'BaseUnits'>;

export function baseUnits(amount: bigint): BaseUnits {
  if (amount < 0n) throw new RangeError(`an amount must not be negative, got ${amount}`);
  return amount as BaseUnits;
}
