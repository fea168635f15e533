import type { MatchEntry, PublicMatch } from '@engulf/protocol/http/matches';
import { checkEntry } from './check-money.ts';
import { countOf, type Finding } from './checks.ts';
import type { ReplayedMatch } from './replay-match.ts';

/**
 * Whether those whose game was over by the end of what is public got what the replay gives them. The others play on there, or
 * came later: what is said about them cannot be checked yet, and counts for nothing.
 */
export function checkSettledSoFar(match: PublicMatch, replayed: ReplayedMatch): Finding {
  const listed = new Set(match.entries.map(({ id }) => id));
  const open: string[] = [];
  for (const id of replayed.entries.keys()) {
    if (!listed.has(id)) open.push(`entry ${id} has played, but is not listed`);
  }
  const over = match.entries.filter((entry) => replayed.entries.get(entry.id)?.outcome);
  for (const entry of match.entries) {
    const played = replayed.entries.get(entry.id);
    if (played && played.stake.toString() !== entry.stake)
      return { wrong: `entry ${entry.id} plays with ${played.stake}, but ${entry.stake} is claimed` };
  }
  for (const entry of over.filter(isSettled)) {
    const complaint = checkEntry(match, replayed, entry);
    if (complaint) return { wrong: complaint };
  }
  const unsettled = over.filter((entry) => !isSettled(entry));
  for (const { id } of unsettled) open.push(`the game of entry ${id} is over, but nobody says what it got`);
  const later = match.entries.length - over.length;
  const cashOuts = over.filter(({ outcome }) => outcome === 'cashout').length;
  return {
    fits: `${countOf(over.length - unsettled.length, 'entry was', 'entries were')} settled as played so far, ${countOf(cashOuts, 'cash-out')} among them`,
    open,
    later: later > 0 ? [`what became of ${countOf(later, 'entry that plays', 'entries that play')} on`] : [],
  };
}

/** What entries got, as far as that was checked. */
export function settledSoFar(
  { entries }: PublicMatch,
  replayed: ReplayedMatch | undefined,
): Map<string, bigint> {
  const settled = entries.filter((entry) => isSettled(entry) && replayed?.entries.get(entry.id)?.outcome);
  return new Map(settled.map(({ id, amount }) => [id, BigInt(amount!)]));
}

function isSettled({ outcome, amount }: MatchEntry): boolean {
  return outcome !== null && amount !== null;
}
