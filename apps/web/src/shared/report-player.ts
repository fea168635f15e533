import { markNoticesRead, readNotices, reportPlayer } from '@engulf/protocol/http/integrity';
import { callApi, describeApiFailure } from './api/call-api.ts';
import { TEXT } from './text.ts';

export const REPORT_REASONS = ['teaming', 'script', 'other'] as const;
type ReportReason = (typeof REPORT_REASONS)[number];

/** Reports a player; without a match, of the one that the user entered last. Says how it went. */
export async function report(
  player: string,
  matchId: string | null,
  reason: ReportReason,
): Promise<{ readonly isDone: boolean; readonly title: string; readonly text: string }> {
  const answer = await callApi(reportPlayer, { body: { matchId, player, reason } });
  if (!answer.ok) return { isDone: false, ...describeApiFailure(answer.error) };
  const { done, repeated, note } = TEXT.report;
  return { isDone: true, title: answer.value.isRepeated ? repeated(player) : done(player), text: note };
}

/** What the user has not read yet. Nothing if it cannot be asked now: it is asked again with the next menu. */
export async function fetchNotices(): Promise<{ warnings: number; acted: number; dismissed: number }> {
  const answer = await callApi(readNotices, {});
  if (!answer.ok) return { warnings: 0, acted: 0, dismissed: 0 };
  const { warnings, reports } = answer.value;
  return { warnings: warnings.length, acted: reports.acted, dismissed: reports.dismissed };
}

export async function noticesRead(): Promise<void> {
  await callApi(markNoticesRead, {});
}
