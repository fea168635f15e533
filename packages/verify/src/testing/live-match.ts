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
export const evidence = playMatch(sample);

export type Draft = { -readonly [Key in keyof PublicMatch]: PublicMatch[Key] };

export function change<Changed extends Evidence>(original: Changed, edit: (match: Draft) => void): Changed {
  const match = structuredClone(original.match) as Draft;
  edit(match);
  return { ...original, match };
}

/** The same match in a lobby without money. */
export function inFreeLobby(original: Evidence): Evidence {
  return change(original, (match) => {
    Object.assign(match, { isFree: true, chainLobbyId: null, tokenSymbol: 'USD' });
    match.entries = match.entries.map((entry) => ({ ...entry, payment: null, payout: null }));
  });
}
