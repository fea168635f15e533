import { applyRecorded } from '@engulf/sim/recording/recorder';
import { isTruce } from '@engulf/sim/truce';
import { ROOM_LIMITS } from '../limits.ts';
import type { GatheringCall } from '../ports.ts';
import type { Match } from './match.ts';
import type { Participant } from './roster.ts';

/*
 * Players who gathered begin together: whoever comes first waits for the others in a truce, which ends with a countdown. If
 * the match moves meanwhile, the truce that it has is left to run out.
 */

/** Somebody has entered the arena. */
export function noteGathered(match: Match, participant: Participant): void {
  const { call } = participant.seat;
  if (!call || match.lobby.isFree) return;
  if (match.gathered?.call.id !== call.id) {
    const isOver = match.deps.clock.nowMs() >= lastMomentMs(call);
    if (isOver || match.gathered || isTruce(match.world.truce) || !isNearlyEmpty(match, participant)) return;
    match.gathered = { call, here: new Set() };
  }
  match.gathered.here.add(participant);
  watchGathered(match);
}

/** Call once a second. */
export function watchGathered(match: Match): void {
  const { gathered, recorded, deps, world } = match;
  if (!gathered) return;
  const { call, here } = gathered;
  const leftMs = lastMomentMs(call) - deps.clock.nowMs();
  if (here.size >= call.size || leftMs <= 0) {
    match.gathered = undefined;
    applyRecorded(recorded, { type: 'truce', seconds: ROOM_LIMITS.beginsInSeconds });
    return;
  }
  const secondsLeft = (world.truce.endsAtTick - world.clock.tick) / world.rules.stepsPerSecond;
  if (isTruce(world.truce) && secondsLeft > ROOM_LIMITS.beginsInSeconds) return;
  const seconds = Math.min(
    world.rules.truce.maxSeconds,
    Math.ceil(leftMs / 1000) + ROOM_LIMITS.beginsInSeconds,
  );
  applyRecorded(recorded, { type: 'truce', seconds });
}

/** A payment of the last second still has to be verified. */
const lastMomentMs = ({ endsAtMs }: GatheringCall) => endsAtMs + ROOM_LIMITS.gatheredVerifyMs;

/** A truce must not save anybody from a game that is under way. */
function isNearlyEmpty({ roster }: Match, newcomer: Participant): boolean {
  const others = [...roster.byEntry.values()].filter(
    (other) => other !== newcomer && other.state === 'playing',
  );
  return others.length <= 1;
}
