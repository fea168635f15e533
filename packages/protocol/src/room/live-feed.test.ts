import { expect, test } from 'vitest';
import { appendLatest, LIVE_FEED_LENGTH } from './live-feed.ts';

test('keeps the latest six', () => {
  let feed: readonly number[] = [];
  for (let event = 1; event <= 9; event++) feed = appendLatest(feed, event, LIVE_FEED_LENGTH);
  expect(feed).toEqual([4, 5, 6, 7, 8, 9]);
});
