import { parentPort, workerData } from 'node:worker_threads';
import { type Effort, playSeason } from './season.ts';

export type SeasonFigures = {
  /** Kinds that were found, with the number of their matches until then. */
  readonly foundAfter: { readonly [kind: string]: number };
  readonly playedBy: { readonly [kind: string]: number };
  readonly rightly: number;
  readonly falsely: readonly string[];
};

const { seed, effort } = workerData as { readonly seed: number; readonly effort: Effort };
const { foundAfter, playedBy, rightly, falsely } = playSeason(seed, effort);
const figures: SeasonFigures = {
  foundAfter: Object.fromEntries(
    foundAfter.flatMap(({ kind, matches }) => (matches === undefined ? [] : [[kind, matches]])),
  ),
  playedBy,
  rightly,
  falsely: falsely.map(
    ({ kind, actor, partner, pValue }) =>
      `seed ${seed}: ${actor} for ${kind} with ${partner ?? 'nobody'}, p = ${pValue.toExponential(1)}`,
  ),
};
parentPort!.postMessage(figures);
