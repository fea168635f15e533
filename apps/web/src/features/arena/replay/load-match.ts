import { type PublicMatch, RECORDING_PATH, readMatch } from '@engulf/protocol/http/matches';
import { callApi } from '../../../shared/api/call-api.ts';
import type { ReplayFailure } from './replay-store.ts';

export type LoadedMatch =
  | { readonly kind: 'loaded'; readonly match: PublicMatch; readonly recording: Uint8Array }
  | { readonly kind: 'failed'; readonly failure: ReplayFailure };

/** Fetches a match and its recording; anybody may. */
export async function loadMatch(matchId: string): Promise<LoadedMatch> {
  const failed = (failure: ReplayFailure): LoadedMatch => ({ kind: 'failed', failure });
  const answer = await callApi(readMatch, { params: { id: matchId } });
  if (!answer.ok) return failed(answer.error.code === 'MATCH_NOT_FOUND' ? 'unknown' : 'server');
  const match = answer.value.data;
  if (match.state !== 'ended') return failed('running');
  if (match.finalHash === null) return failed('unplayed');
  const response = await fetch(RECORDING_PATH.replace(':id', matchId)).catch(() => undefined);
  if (!response?.ok) return failed('server');
  return { kind: 'loaded', match, recording: new Uint8Array(await response.arrayBuffer()) };
}
