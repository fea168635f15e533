import type { Finding, Totals } from '@engulf/integrity/score';
import { addMatch, noTotals, putForward } from '@engulf/integrity/score';
import { numberedKey } from '@engulf/sim/keys';
import { createRandom } from '@engulf/sim/random';
import { type Cast, castOf, isInnocent, shuffled } from './cast.ts';
import { playWatched, type Seat } from './play.ts';

export type Effort = {
  readonly matches: number;
  readonly seats: number;
  readonly honest: number;
  readonly seconds: number;
  readonly rate: number;
};

export type Season = {
  /** For each kind: after how many of its own matches it was found; undefined if never. */
  readonly foundAfter: readonly { readonly kind: string; readonly matches: number | undefined }[];
  readonly playedBy: { readonly [kind: string]: number };
  readonly falsely: readonly Finding[];
  readonly rightly: number;
  readonly totals: Totals;
  readonly cast: Cast;
};

/** Groups that play in one match, beside the honest. */
const GROUPS_PER_MATCH = 3;
const QUIET_EVERY = 5;

/** Some weeks of a lobby: the same accounts meet again and again, and everybody is looked at after every match. */
export function playSeason(seed: number, effort: Effort, onMatch?: (index: number) => void): Season {
  const cast = castOf(seed, effort.honest);
  const random = createRandom(numberedKey(9_000_000 + seed));
  const totals = noTotals();
  const innocent = new Set(
    [...cast.honest, ...cast.groups.flatMap(({ accounts }) => accounts)]
      .filter(isInnocent)
      .map(({ name }) => name),
  );
  const played = new Map<string, number>();
  const foundAfter = new Map<string, number>();
  const flagged = new Map<string, Finding>();
  for (let index = 0; index < effort.matches; index++) {
    const groups = Array.from(
      { length: GROUPS_PER_MATCH },
      (_, k) => cast.groups[(index * GROUPS_PER_MATCH + k) % cast.groups.length]!,
    );
    const seats: Seat[] = groups.flatMap(({ kind, accounts }) => {
      const count = (played.get(kind) ?? 0) + 1;
      played.set(kind, count);
      return accounts.map((account) => ({
        account,
        friends: accounts.filter((other) => other !== account),
        isActive: account.role !== 'quiet' || count % QUIET_EVERY === 0,
      }));
    });
    const crowd = shuffled(cast.honest, random).slice(0, effort.seats - seats.length);
    seats.push(...crowd.map((account) => ({ account, friends: [], isActive: false })));
    addMatch(totals, playWatched(seed * 10_000 + index, seats, effort.seconds).evidence);
    for (const finding of putForward(totals, effort.rate)) {
      if (!flagged.has(finding.actor)) flagged.set(finding.actor, finding);
    }
    for (const { kind, accounts, wanted } of groups) {
      const found = accounts.filter(({ name }) => flagged.has(name) && !innocent.has(name)).length;
      if (found >= wanted && !foundAfter.has(kind)) foundAfter.set(kind, played.get(kind)!);
    }
    onMatch?.(index);
  }
  const falsely = [...flagged.values()].filter(({ actor }) => innocent.has(actor));
  return {
    foundAfter: cast.groups.map(({ kind }) => ({ kind, matches: foundAfter.get(kind) })),
    playedBy: Object.fromEntries(played),
    falsely,
    rightly: flagged.size - falsely.length,
    totals,
    cast,
  };
}
