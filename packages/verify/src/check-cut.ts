import { formatExactAmount } from '@engulf/domain/money/amount';
import type { MatchEntry, PublicMatch } from '@engulf/protocol/http/matches';
import { type AfterCut, MISSING_SECONDS } from './after-cut.ts';
import { countOf, type Finding } from './checks.ts';
import type { ReplayedMatch } from './replay-match.ts';

/**
 * What was settled where the recording is silent. Whoever is not in it gets exactly the stake, and whoever lives at its end
 * exactly the bounty. What the rules allow in the missing seconds is noted; anything else stays open. No unit may be made
 * or lost.
 */
export function checkCut(match: PublicMatch, replayed: ReplayedMatch): Finding {
  const silent = match.entries.filter(({ id }) => !replayed.entries.get(id)?.outcome);
  const cases = silent.map((entry) => caseOf(entry, replayed));
  const carried = sum(cases.map(({ due }) => due)) + replayed.spill;
  const granted = sum(cases.map(({ got }) => got)) + BigInt(match.spillAfter ?? 0);
  const inToken = (amount: bigint) =>
    `${formatExactAmount(amount, { symbol: match.tokenSymbol, decimals: match.tokenDecimals })} ${match.tokenSymbol}`;
  if (carried !== granted) {
    const carriedText = inToken(carried);
    return {
      wrong: `the living carried ${carriedText} where the recording was cut, but were given ${inToken(granted)}`,
    };
  }
  const late = cases.filter(({ isLate }) => isLate);
  const notes = [
    `the recording ends where the server died: up to ${MISSING_SECONDS} seconds of the match are missing`,
    ...(late.length > 0 ? [`${countOf(late.length, 'entry', 'entries')} came after that`] : []),
  ];
  const fits = `${countOf(match.entries.length, 'entry was', 'entries were')} settled as played up to the cut`;
  const repeated = firstRepeated(late.map(({ entry }) => entry.payment?.wallet));
  if (repeated !== undefined) {
    return {
      fits,
      notes,
      open: [`${repeated} enters twice after the cut, so more than seconds are missing`],
    };
  }
  const moved = sum(cases.map(({ due, got }) => (got > due ? got - due : 0n)));
  const isAllowed = replayed.afterCut ? areAllowed(cases, replayed.afterCut) : cases.every(isExact);
  const lost = sum(cases.map(({ due, got }) => (due > got ? due - got : 0n)));
  // Whatever happened to whom, everybody got what was theirs.
  if (!isAllowed && moved + lost > 0n) {
    const outside = inToken(moved > lost ? moved : lost);
    return {
      fits,
      notes,
      open: [`${outside} was settled outside the recording: nobody can check to whom it belongs`],
    };
  }
  if (moved > 0n) notes.push(`${inToken(moved)} changed hands in the missing seconds, as the rules allow`);
  return { fits, notes };
}

type Case = {
  readonly entry: MatchEntry;
  /** Not in the recording at all. */
  readonly isLate: boolean;
  readonly due: bigint;
  readonly got: bigint;
};

function caseOf(entry: MatchEntry, replayed: ReplayedMatch): Case {
  const played = replayed.entries.get(entry.id);
  const due = played ? played.bounty : BigInt(entry.stake);
  return { entry, isLate: !played, due, got: BigInt(entry.amount ?? 0) };
}

const RETURNED: readonly MatchEntry['outcome'][] = ['fault', 'closed'];

function isExact({ entry, due, got, isLate }: Case): boolean {
  return due === got && (RETURNED.includes(entry.outcome) || (isLate && entry.outcome === 'forfeit'));
}

function areAllowed(cases: readonly Case[], after: AfterCut): boolean {
  const heirs = new Map<string, bigint>(cases.map(({ entry }) => [entry.id, after.mostShared]));
  const gains = new Set(cases.filter(({ due, got }) => got > due).map(({ entry }) => entry.id));
  for (const one of cases) {
    if (isExact(one)) continue;
    if (!hasAllowedOutcome(one, after)) return false;
    const { entry, due, got } = one;
    if (got >= due || after.departures.has(entry.id)) continue;
    const eaters = [...reachableFrom(entry.id, after)].filter((id) => gains.has(id));
    if (eaters.length === 0) return false;
    for (const id of eaters) heirs.set(id, heirs.get(id)! + due - got);
  }
  return cases.every(({ entry, due, got }) => got - due <= heirs.get(entry.id)!);
}

function hasAllowedOutcome({ entry, isLate, due, got }: Case, after: AfterCut): boolean {
  // Safe for longer than what is missing, so only a share of the spill can have changed it.
  if (isLate) return after.areNewcomersSafe && RETURNED.includes(entry.outcome) && got >= due;
  switch (entry.outcome) {
    case 'cashout':
      return after.exits.has(entry.id);
    case 'forfeit':
      return after.departures.has(entry.id) && got <= due;
    case 'killed':
      return got === 0n;
    default:
      return RETURNED.includes(entry.outcome);
  }
}

/** Everybody who may have got what an entry carried: its eaters, and theirs. */
function reachableFrom(victim: string, { eatersOf }: AfterCut): Set<string> {
  const found = new Set<string>();
  const waiting = [victim];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const eater of eatersOf.get(next) ?? []) {
      if (found.has(eater)) continue;
      found.add(eater);
      waiting.push(eater);
    }
  }
  found.delete(victim);
  return found;
}

function firstRepeated(wallets: readonly (string | undefined)[]): string | undefined {
  const seen = new Set<string>();
  for (const wallet of wallets) {
    if (wallet === undefined) continue;
    if (seen.has(wallet)) return wallet;
    seen.add(wallet);
  }
  return undefined;
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
