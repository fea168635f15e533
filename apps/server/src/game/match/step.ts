import { stepRecorded } from '@engulf/sim/recording/recorder';
import { publishStandings } from '../board/standings.ts';
import { sendViews } from '../views/views.ts';
import { closeWhenDue, endMatch, settleMatch } from './ending.ts';
import { handleEvents } from './events.ts';
import { type Match, publishLive } from './match.ts';
import { refundUnspawned } from './results.ts';
import { dismissFinished } from './seats.ts';

/** One tick of a match: steps the arena, handles what happened, and shows it to everyone. */
export function stepMatch(match: Match): void {
  const { world, logger } = match;
  try {
    handleEvents(match, stepRecorded(match.recorded));
  } catch (error) {
    logger.fatal({ err: error, tick: world.clock.tick }, 'the arena failed');
    endMatch(match, 'fault');
  }
  sendViews(match.views, logger);
  if (world.clock.tick % world.rules.stepsPerSecond === 0) everySecond(match);
  if (world.clock.isEnded) settleMatch(match);
}

function everySecond(match: Match): void {
  const { standings, feed, roster, results, world } = match;
  publishStandings(standings, feed.announce, (player) => roster.byPlayer.get(player)?.connection);
  refundUnspawned(results, roster, world.clock);
  dismissFinished(match);
  publishLive(match);
  closeWhenDue(match);
}
