import type { EndReason } from '@engulf/sim/events';
import { findPlayer } from '@engulf/sim/players';
import { applyRecorded, finishRecording } from '@engulf/sim/recording/recorder';
import { step } from '@engulf/sim/step';
import { ROOM_LIMITS } from '../limits.ts';
import { countViewers } from '../views/views.ts';
import { handleEvents } from './events.ts';
import { publishFeed } from './live-feed.ts';
import type { Match } from './match.ts';
import { allResultsSettled, refundUnspawned, settleResult } from './results.ts';
import { countSeated, isEntered } from './roster.ts';

/*
 * How a match ends:
 * 1. Closing is announced, by the lobby's schedule or because the match is a day old.
 * 2. The match ends: its announced time is up, everyone has left, the server shuts down, or the arena failed.
 * 3. Results are settled: everyone alive gets their whole bounty back. The recording is closed meanwhile.
 * 4. The room closes (room/running-room.ts).
 */

/** Announces that the match ends in this many seconds. Later announcements are ignored. */
export function announceClosing({ ending, recorded }: Match, inSeconds: number): void {
  if (ending.isAnnounced) return;
  ending.isAnnounced = true;
  applyRecorded(recorded, { type: 'close', inSeconds: Math.max(0, inSeconds) });
}

/** Call once a second. */
export function closeWhenDue(match: Match): void {
  if (isAbandoned(match)) endMatch(match, 'closed');
  if (hasReachedLimit(match)) announceClosing(match, ROOM_LIMITS.closingNoticeSeconds);
}

/** Ends the match now: everyone alive gets their whole bounty back, whatever state the arena is in. */
export function endMatch(match: Match, reason: EndReason): void {
  const { world, roster, recorded, results, logger } = match;
  try {
    applyRecorded(recorded, { type: 'end', reason });
    handleEvents(match, step(world));
  } catch (error) {
    logger.fatal({ code: 'ARENA_FAILED', err: error }, 'the arena failed while ending');
  }
  // Players that a failed arena did not report.
  for (const participant of roster.byEntry.values()) {
    if (participant.state !== 'playing') continue;
    const slot = findPlayer(world.players, participant.player!);
    const amount = slot < 0 ? 0n : world.players.bounty[slot]!;
    settleResult(results, participant, { kind: reason, amount, massMilli: 0 });
  }
  settleMatch(match);
}

/** Settles a match that has ended and closes its recording. Idempotent. */
export function settleMatch(match: Match): void {
  match.ending.settled ??= Promise.all([settleResults(match), closeRecording(match)]).then(() => undefined);
}

function hasReachedLimit({ world: { clock, rules } }: Match): boolean {
  return clock.tick / rules.stepsPerSecond > ROOM_LIMITS.maxMatchSeconds;
}

/** Whether people have played here but nobody has been around for a while. */
function isAbandoned({ world, roster, views, ending }: Match): boolean {
  const { clock, rules } = world;
  const isIdle = isEntered(roster) && countSeated(roster) === 0 && countViewers(views) === 0;
  if (!isIdle) ending.idleSinceTick = undefined;
  else ending.idleSinceTick ??= clock.tick;
  const idleTicks = clock.tick - (ending.idleSinceTick ?? clock.tick);
  return idleTicks >= ROOM_LIMITS.idleMatchSeconds * rules.stepsPerSecond;
}

async function settleResults({ world, roster, results, feed }: Match): Promise<void> {
  refundUnspawned(results, roster, world.clock);
  await allResultsSettled(results);
  publishFeed(feed);
}

/** Done immediately, so that the final payouts can carry the hash of the recording. */
async function closeRecording({ id, lobby, recorded, world, deps, logger }: Match): Promise<void> {
  try {
    finishRecording(recorded);
    const { clock, money } = world;
    await deps.ports.closeMatch({ id, lobbyId: lobby.id, finalTick: clock.tick, spill: money.spill });
  } catch (error) {
    logger.error({ code: 'RECORDING_NOT_CLOSED', err: error }, 'recording not closed');
  }
}
