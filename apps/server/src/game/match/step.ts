import { stepRecorded } from '@engulf/sim/recording/recorder';
import { publishStandings } from '../board/standings.ts';
import { sendViews } from '../views/views.ts';
import { closeWhenDue, endMatch, settleMatch } from './ending.ts';
import { handleEvents } from './events.ts';
import { publishFeed } from './live-feed.ts';
import { type Match, publishLive } from './match.ts';
import { refundUnspawned } from './results.ts';
import { dismissFinished } from './seats.ts';

/** One tick of a match: steps the arena, handles what happened, and shows it to everyone. */
export function stepMatch(match: Match, lateMs: number): void {
  const { world, logger, deps } = match;
  const startedMs = deps.clock.monotonicMs();
  try {
    handleEvents(match, stepRecorded(match.recorded));
  } catch (error) {
    logger.fatal({ code: 'ARENA_FAILED', err: error, tick: world.clock.tick }, 'the arena failed');
    endMatch(match, 'fault');
  }
  sendViews(match.views, lateMs, logger);
  if (world.clock.tick % world.rules.stepsPerSecond === 0) everySecond(match);
  if (world.clock.isEnded) settleMatch(match);
  deps.meter?.tick(deps.clock.monotonicMs() - startedMs, lateMs);
}

function everySecond(match: Match): void {
  const { standings, feed, roster, results, world } = match;
  publishFeed(feed);
  publishStandings(standings, feed.announce, (player) => roster.byPlayer.get(player)?.connection);
  refundUnspawned(results, roster, world.clock);
  dismissFinished(match);
  publishLive(match);
  closeWhenDue(match);
}
