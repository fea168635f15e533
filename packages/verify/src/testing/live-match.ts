import type { PublicMatch } from '@engulf/protocol/http/matches';
import { randomMatch } from '@engulf/sim/testing/random-play';
import * as fc from 'fast-check';
import { verifyMatch } from '../verify-match.ts';
import { type Evidence, playMatch } from './played-match.ts';

export const verify = ({ match, recording, chain }: Evidence) => verifyMatch(match, recording, chain);

/** Long enough for several segments, with people in it from the start. */
export const liveMatch = randomMatch.map(({ seed, moves }) => ({
  seed,
  moves: [
    [
      { what: 'join' as const, stake: 1_000n },
      { what: 'join' as const, stake: 500n },
    ],
    ...moves.map((all) => all.filter(({ what }) => what !== 'close')),
    ...moves.map((all) => all.filter(({ what }) => what !== 'close')),
    ...Array.from({ length: 300 }, () => []),
  ],
}));

export const sample = fc.sample(liveMatch, { seed: 7, numRuns: 1 })[0]!;
export const evidence: Evidence = playMatch(sample);

export type Draft = { -readonly [Key in keyof PublicMatch]: PublicMatch[Key] };

export function change(original: Evidence, edit: (match: Draft) => void): Evidence {
  const match = structuredClone(original.match) as Draft;
  edit(match);
  return { ...original, match };
}
