import {
  appendLatest,
  LIVE_FEED_LENGTH,
  type LiveUpdate,
  type RoomServerPayload,
} from '@engulf/protocol/room/server-messages';
import type { Announce, Connection } from '../connection.ts';
import type { Clock } from '../ports.ts';

/**
 * News for everyone in the room: kills, cash-outs, joins, closing times and the number of players. In a crowded arena
 * many die every second, so news is batched and sent once a second.
 */
export type LiveFeed = {
  readonly announce: Announce;
  readonly clock: Clock;
  latest: readonly LiveUpdate[];
  /** What has not been sent yet. In a crowded arena only the latest lines are ever sent. */
  unsent: readonly LiveUpdate[];
  joined: RoomServerPayload<'playerJoin'> | undefined;
  left: RoomServerPayload<'playerDisconnect'> | undefined;
};

/** More than this is not readable. */
const LINES_PER_SECOND = 3;

type WithoutTimestamp<Update> = Update extends LiveUpdate ? Omit<Update, 'timestamp'> : never;

export function createLiveFeed(announce: Announce, clock: Clock): LiveFeed {
  return { announce, clock, latest: [], unsent: [], joined: undefined, left: undefined };
}

/** Adds a line to the next batch. Returns it with its timestamp. */
export function report(feed: LiveFeed, line: WithoutTimestamp<LiveUpdate>): LiveUpdate {
  const update: LiveUpdate = { ...line, timestamp: feed.clock.nowMs() };
  feed.latest = appendLatest(feed.latest, update, LIVE_FEED_LENGTH);
  feed.unsent = appendLatest(feed.unsent, update, LINES_PER_SECOND);
  return update;
}

/** Call once a second, and when the match has ended. */
export function publishFeed(feed: LiveFeed): void {
  const { announce, unsent, joined, left } = feed;
  if (unsent.length > 0) announce('liveUpdate', [...unsent]);
  if (joined) announce('playerJoin', joined);
  if (left) announce('playerDisconnect', left);
  feed.unsent = [];
  feed.joined = undefined;
  feed.left = undefined;
}

/** For a newcomer: what the feed shows now. */
export function sendLiveFeed({ latest, unsent }: LiveFeed, connection: Connection): void {
  const sent = latest.filter((update) => !unsent.includes(update));
  if (sent.length > 0) connection.send('liveUpdate', sent);
}
