import { ROOM_LIMITS } from '../limits.ts';
import { countViewers } from '../views/views.ts';
import type { Match } from './match.ts';
import { isEntered } from './roster.ts';

/**
 * A match in which nobody has ever had a seat, and which nobody watches, nor any menu shows, is paused once its bots have filled the arena.
 * When somebody comes, it resumes as if no time had passed, and so does its recording.
 */
export function isAsleep({ world, roster, views, ending, isShown }: Match): boolean {
  const { clock, rules } = world;
  return (
    clock.tick >= ROOM_LIMITS.sleepAfterSeconds * rules.stepsPerSecond &&
    !isShown &&
    !ending.isAnnounced &&
    !isEntered(roster) &&
    countViewers(views) === 0
  );
}
