import { listMatches, type PublicMatch, RECORDING_PATH } from '@engulf/protocol/http/matches';
import { fetchMatch } from '@engulf/verify/fetch-match';
import { verifyMatch } from '@engulf/verify/verify-match';

/** What is wrong with the matches of a server that has settled everything, and how many were checked. */
export type CheckedMatches = { readonly count: number; readonly faults: readonly string[] };

/**
 * Plays every recording again and compares who got what. Books and chain alone do not show a bounty that went to nobody: it
 * spills, and all sums are right. What the chain says is the audit's.
 */
export async function checkMatches(url: string): Promise<CheckedMatches> {
  const faults: string[] = [];
  let count = 0;
  for (const id of await listEnded(url)) {
    const match = await fetchMatch(url, id);
    if (match.entries.length === 0) continue;
    count++;
    const fault = await findFault(url, match);
    if (fault !== undefined) faults.push(`match ${id}: ${fault}`);
  }
  return { count, faults };
}

async function listEnded(url: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const answer = await fetch(`${url}${listMatches.path}?page=${page}`);
    const { data } = listMatches.answer.parse(await answer.json());
    ids.push(...data.data.filter(({ state }) => state === 'ended').map(({ id }) => id));
    if (data.data.length === 0 || page >= data.lastPage) return ids;
  }
}

async function findFault(url: string, match: PublicMatch): Promise<string | undefined> {
  const response = await fetch(url + RECORDING_PATH.replace(':id', match.id));
  if (!response.ok) {
    const outcomes = match.entries.map(({ outcome }) => outcome).join(', ');
    return `no recording, but entries (${outcomes})`;
  }
  const recording = new Uint8Array(await response.arrayBuffer());
  const { wrong } = await verifyMatch(match, recording, undefined);
  return wrong && `${wrong.check}: ${wrong.what}`;
}
