import { stepRecorded } from '@engulf/sim/recording/recorder';
import { publishLeaderboard, publishRanks } from '../board/standings.ts';
import { sendViews } from '../views/views.ts';
import { keyPortals } from './beacons.ts';
import { closeWhenDue, endMatch, settleMatch } from './ending.ts';
import { handleEvents, notePeaks } from './events.ts';
import { watchGathered } from './gathering.ts';
import { freeIdleSeats } from './idle-seats.ts';
import { publishFeed } from './live-feed.ts';
import { type Match, publishLive } from './match.ts';
import { watchOutage } from './outage.ts';
import { refundUnspawned } from './results.ts';
import { dismissFinished } from './seats.ts';

/** One tick of a match: steps the arena, handles its events and sends everyone their view. */
export function stepMatch(match: Match, lateMs: number): void {
  const { world, logger, deps } = match;
  const startedMs = deps.clock.monotonicMs();
  try {
    handleEvents(match, stepRecorded(match.recorded));
  } catch (error) {
    logger.fatal({ code: 'ARENA_FAILED', err: error, tick: world.clock.tick }, 'the arena failed');
    endMatch(match, 'fault');
  }
  // Before the views: what a client is told in the same turn reaches the network in one call.
  doChores(match);
  sendViews(match.views, lateMs, logger);
  if (world.clock.isEnded) settleMatch(match);
  deps.meter?.tick(deps.clock.monotonicMs() - startedMs, lateMs);
}

/** Of free lobbies, which rank by mass: that changes all the time, while money moves when somebody dies. */
const SECONDS_PER_FREE_BOARD = 2;

/** Done once a second, each in a tick of its own: all of them in one would make that tick late. */
const CHORES: readonly ((match: Match) => void)[] = [
  ({ feed }) => publishFeed(feed),
  notePeaks,
  keyPortals,
  ({ standings, feed, lobby, world }) => {
    const second = Math.floor(world.clock.tick / world.rules.stepsPerSecond);
    if (!lobby.isFree || second % SECONDS_PER_FREE_BOARD === 0) publishLeaderboard(standings, feed.announce);
  },
  ({ standings, roster }) => publishRanks(standings, (player) => roster.byPlayer.get(player)?.connection),
  (match) => {
    refundUnspawned(match.results, match.roster, match.world.clock);
    dismissFinished(match);
    freeIdleSeats(match);
    publishLive(match);
    watchOutage(match);
    watchGathered(match);
    closeWhenDue(match);
  },
];

function doChores(match: Match): void {
  const { clock, rules } = match.world;
  CHORES.forEach((chore, index) => {
    const turn = Math.floor(((index + 0.5) * rules.stepsPerSecond) / CHORES.length);
    if (clock.tick % rules.stepsPerSecond === turn) chore(match);
  });
}
