import { type MatchEntry, type PublicMatch, RECORDING_PATH, readMatch } from '@engulf/protocol/http/matches';
import { callApi } from '../../../shared/api/call-api.ts';
import type { ReplayFailure } from './replay-store.ts';

export type LoadedMatch =
  | { readonly kind: 'loaded'; readonly match: PublicMatch; readonly recording: Uint8Array }
  | { readonly kind: 'failed'; readonly failure: ReplayFailure };

/** Fetches a match and its recording; anybody may. */
export async function loadMatch(matchId: string): Promise<LoadedMatch> {
  const failed = (failure: ReplayFailure): LoadedMatch => ({ kind: 'failed', failure });
  const answer = await callApi(readMatch, { params: { id: matchId }, query: {} });
  if (!answer.ok) return failed(answer.error.code === 'MATCH_NOT_FOUND' ? 'unknown' : 'server');
  const match = answer.value.data;
  if (match.state !== 'ended') return failed('running');
  if (match.finalHash === null) return failed('unplayed');
  const [entries, response] = await Promise.all([
    loadEntries(match),
    fetch(RECORDING_PATH.replace(':id', matchId)).catch(() => undefined),
  ]);
  if (!response?.ok) return failed('server');
  const recording = new Uint8Array(await response.arrayBuffer());
  return { kind: 'loaded', match: { ...match, entries }, recording };
}

/** All entries. If a page of them does not come, its players stay without names. */
async function loadEntries({ id, entries: first, entryCount }: PublicMatch): Promise<MatchEntry[]> {
  const entries = [...first];
  for (let page = 2; entries.length < entryCount; page++) {
    const answer = await callApi(readMatch, { params: { id }, query: { page } });
    if (!answer.ok || answer.value.data.entries.length === 0) break;
    entries.push(...answer.value.data.entries);
  }
  return entries;
}
