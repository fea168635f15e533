import { expect, test, vi } from 'vitest';
import { createManualClock } from '../../../testing/game/manual-clock.ts';
import type { Announce, Connection } from '../connection.ts';
import { createLiveFeed, publishFeed, report, sendLiveFeed } from './live-feed.ts';

function openFeed() {
  const announce = vi.fn<Announce>();
  const feed = createLiveFeed(announce, createManualClock());
  const join = (...names: string[]) => {
    for (const playerName of names) report(feed, { type: 'join', playerName });
  };
  return { feed, announce, join };
}

const named = (...names: string[]) => names.map((playerName) => expect.objectContaining({ playerName }));

test('lines are batched and sent once; in a crowd only the latest are sent', () => {
  const { feed, announce, join } = openFeed();
  join('a', 'b');
  expect(announce).not.toHaveBeenCalled();
  publishFeed(feed);
  expect(announce.mock.calls).toEqual([['liveUpdate', named('a', 'b')]]);
  publishFeed(feed);
  expect(announce).toHaveBeenCalledOnce();
  join('c', 'd', 'e', 'f', 'g', 'h');
  publishFeed(feed);
  expect(announce).toHaveBeenLastCalledWith('liveUpdate', named('f', 'g', 'h'));
});

test('those who come and go are announced once, with the latest numbers', () => {
  const { feed, announce } = openFeed();
  feed.joined = { name: 'a', isBot: false, totalPlayers: 2, totalBots: 1 };
  feed.joined = { name: 'b', isBot: false, totalPlayers: 3, totalBots: 1 };
  feed.left = { name: 'a', isBot: false, totalPlayers: 2, totalBots: 1 };
  publishFeed(feed);
  publishFeed(feed);
  expect(announce.mock.calls.map(([type, payload]) => [type, (payload as { name: string }).name])).toEqual([
    ['playerJoin', 'b'],
    ['playerDisconnect', 'a'],
  ]);
});

test('a newcomer is sent what the others have read, and the rest together with them', () => {
  const { feed, join } = openFeed();
  const send = vi.fn();
  const newcomer = { send } as unknown as Connection;
  sendLiveFeed(feed, newcomer);
  expect(send).not.toHaveBeenCalled();
  join('a', 'b');
  publishFeed(feed);
  join('c');
  sendLiveFeed(feed, newcomer);
  expect(send.mock.calls).toEqual([['liveUpdate', named('a', 'b')]]);
});
