import type { LiveUpdate } from '@engulf/protocol/room/server-messages';
import { appendLatest, LIVE_FEED_LENGTH } from '@engulf/protocol/room/server-messages';
import type { Announce, Connection } from '../connection.ts';
import type { Clock } from '../ports.ts';

/** The lines everyone in the room reads: kills, cash-outs, joins, closing times. */
export type LiveFeed = {
  readonly announce: Announce;
  readonly clock: Clock;
  latest: readonly LiveUpdate[];
};

type WithoutTimestamp<Update> = Update extends LiveUpdate ? Omit<Update, 'timestamp'> : never;

export function createLiveFeed(announce: Announce, clock: Clock): LiveFeed {
  return { announce, clock, latest: [] };
}

/** Adds a line and sends it to everyone. Returns it with its timestamp. */
export function report(feed: LiveFeed, line: WithoutTimestamp<LiveUpdate>): LiveUpdate {
  const update: LiveUpdate = { ...line, timestamp: feed.clock.nowMs() };
  feed.latest = appendLatest(feed.latest, update, LIVE_FEED_LENGTH);
  feed.announce('liveUpdate', update);
  return update;
}

/** For a newcomer: what the feed shows now. */
export function sendLiveFeed({ latest }: LiveFeed, connection: Connection): void {
  for (const update of latest) connection.send('liveUpdate', update);
}
