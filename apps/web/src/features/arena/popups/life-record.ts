import { parseRewardText } from '@engulf/domain/money/reward-text';
import type { ArenaEvents } from '../net/events.ts';
import { createWitness, type Witness } from './fate.ts';

/** What a player did in one life. */
export type Life = {
  readonly aliveMs: number;
  readonly peakMass: number;
  readonly bestRank: number | undefined;
  readonly eaten: number;
  /** As shown: '0.082'. */
  readonly bountyTaken: string;
};

export type LifeRecord = {
  /** To be called after every frame; `mass` is undefined without a body. */
  noteMass(mass: number | undefined, nowMs: number): void;
  readonly witness: Witness;
  read(): Life;
  stop(): void;
};

/** Keeps the record of the own life from what the page sees anyway. */
export function keepLifeRecord(events: ArenaEvents): LifeRecord {
  let bornMs = Number.NaN;
  let lastMs = Number.NaN;
  let peakMass = 0;
  let bestRank: number | undefined;
  let eaten = 0;
  const taken = { milli: 0n, decimals: 0 };
  const stop = events.subscribe((event) => {
    if (event.type === 'personalRank')
      bestRank = Math.min(bestRank ?? event.payload.rank, event.payload.rank);
    if (event.type !== 'KO') return;
    eaten++;
    addAmount(taken, parseRewardText(event.payload.reward).amount);
  });
  return {
    stop,
    witness: createWitness(),
    noteMass(mass, nowMs) {
      if (mass === undefined) return;
      if (Number.isNaN(bornMs)) bornMs = nowMs;
      lastMs = nowMs;
      if (mass > peakMass) peakMass = mass;
    },
    read: () => ({
      aliveMs: Number.isNaN(bornMs) ? 0 : lastMs - bornMs,
      peakMass,
      bestRank,
      eaten,
      bountyTaken: sumText(taken),
    }),
  };
}

/** Amounts are shown with up to three decimals, so their sum is exact in thousandths. It is shown with as many as they are. */
type Sum = { milli: bigint; decimals: number };

function addAmount(sum: Sum, amount: string): void {
  const [, whole = '0', part = ''] = /^\+?(\d+)(?:\.(\d+))?$/.exec(amount.replaceAll(',', '')) ?? [];
  sum.milli += BigInt(whole) * 1000n + BigInt(part.padEnd(3, '0').slice(0, 3));
  sum.decimals = Math.max(sum.decimals, Math.min(part.length, 3));
}

function sumText({ milli, decimals }: Sum): string {
  const part = String(milli % 1000n).padStart(3, '0');
  return decimals === 0 ? `${milli / 1000n}` : `${milli / 1000n}.${part.slice(0, decimals)}`;
}
