import { ROOM_LIMITS } from '../limits.ts';
import { countViewers } from '../views/views.ts';
import type { Match } from './match.ts';
import { isEntered } from './roster.ts';

/**
 * A match in which nobody has ever had a seat, and which nobody watches, is paused once its bots have filled the arena.
 * When somebody comes, it resumes as if no time had passed, and so does its recording.
 */
export function isAsleep({ world, roster, views, ending }: Match): boolean {
  const { clock, rules } = world;
  return (
    clock.tick >= ROOM_LIMITS.sleepAfterSeconds * rules.stepsPerSecond &&
    !ending.isAnnounced &&
    !isEntered(roster) &&
    countViewers(views) === 0
  );
}
