import { splitFee } from '@engulf/domain/money/bounty';
import type { Balances, Holdings } from './accounts.ts';

/** The bookkeeping of the demo: what every account must hold at the end, to the last unit. */
export class Expectations {
  readonly #expected: Map<string, Holdings>;

  constructor(before: Balances) {
    this.#expected = new Map(before);
  }

  move(unit: keyof Holdings, from: string, to: string, amount: bigint): void {
    this.add(unit, from, -amount);
    this.add(unit, to, amount);
  }

  join(unit: keyof Holdings, player: string, pool: string, entryFee: bigint, feeBasisPoints: number): void {
    const { treasury, stake } = splitFee(entryFee, feeBasisPoints);
    this.move(unit, player, 'treasury', treasury);
    this.move(unit, player, pool, stake);
  }

  /** What leaves the accounts looked at: network fees and the rent of new accounts. */
  spend(name: string, lamports: bigint): void {
    this.add('lamports', name, -lamports);
  }

  differences(after: Balances): string[] {
    return [...this.#expected].flatMap(([name, expected]) => {
      const actual = after.get(name);
      return (['lamports', 'tokens'] as const)
        .filter((unit) => actual?.[unit] !== expected[unit])
        .map((unit) => `${name}: ${actual?.[unit]} ${unit}, expected ${expected[unit]}`);
    });
  }

  private add(unit: keyof Holdings, name: string, amount: bigint): void {
    const holdings = this.#expected.get(name);
    if (!holdings) throw new Error(`Nobody looks at the balance of ${name}`);
    this.#expected.set(name, { ...holdings, [unit]: holdings[unit] + amount });
  }
}
