import type { Line } from './line.ts';
import { measureDeaths } from './measure-deaths.ts';
import { measureKills } from './measure-kills.ts';
import { measureSplits } from './measure-splits.ts';
import { measureStutter, measureTurns } from './measure-steering.ts';

/** How a connection feels. Lengths are in world units; a new cell has a radius of 63. */
export type LineFigures = Line & {
  readonly stutterPct: number;
  readonly pointerP50Ms: number;
  readonly pointerP95Ms: number;
  readonly correctionP50: number;
  readonly correctionP99: number;
  readonly splitShownMs: number;
  readonly overlapExcessPct: number;
  readonly eatenFromAfarPct: number;
  readonly engulfP50Ms: number;
  readonly engulfP90Ms: number;
  readonly wronglyEngulfedPct: number;
};

/** How long each part is played, in virtual time. */
export type Effort = { readonly seconds: number; readonly deaths: number };

export function measureLine(line: Line, { seconds, deaths }: Effort, seed: number): LineFigures {
  const figures = {
    stutterPct: measureStutter(line, seed, seconds),
    ...measureTurns(line, seed + 1, seconds),
    ...measureSplits(line, seed + 2, seconds),
    eatenFromAfarPct: measureDeaths(line, seed + 3, deaths),
    ...measureKills(line, seed + 4, deaths),
  };
  return { rttMs: line.rttMs, jitterMs: line.jitterMs, ...rounded(figures) };
}

function rounded<Figures extends { readonly [name: string]: number }>(figures: Figures): Figures {
  const entries = Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(2))]);
  return Object.fromEntries(entries) as Figures;
}
