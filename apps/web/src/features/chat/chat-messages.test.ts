import type { ChatHistoryPage, ChatMessage } from '@engulf/protocol/chat';
import { describe, expect, test } from 'vitest';
import {
  type ChatMessages,
  firstPage,
  olderPageNumber,
  withMessages,
  withNewestPage,
  withOlderPage,
} from './chat-messages.ts';

const message = (id: number): ChatMessage => ({
  id: String(id),
  sender: 'Wobble',
  lobbyId: 'global',
  user_id: 'u1',
  message: `message ${id}`,
  avatarUrl: null,
  timestamp: id,
  type: 'user',
});
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, nth) => message(from + nth));

/** As the server pages a channel whose newest message has that id. */
function pageOf(newest: number, page: number): ChatHistoryPage {
  const last = newest - (page - 1) * 10;
  const data = range(Math.max(1, last - 9), last).toReversed();
  return { data, hasMorePages: last > 10, currentPage: page };
}
const ids = ({ list }: ChatMessages) => list.map(({ id }) => Number(id));
const numbers = (from: number, to: number) => range(from, to).map(({ id }) => Number(id));

test('a page is reversed, oldest first', () => {
  expect(ids(firstPage(pageOf(25, 1)))).toEqual(numbers(16, 25));
});

test('scrolling back reaches the first message although new ones arrive in between', () => {
  let known = firstPage(pageOf(25, 1));
  let newest = 25;
  for (let loads = 0; known.hasOlder && loads < 10; loads++) {
    newest += 7;
    known = withMessages(known, range(newest - 6, newest), false);
    known = withOlderPage(known, pageOf(newest, olderPageNumber(known)));
  }
  expect(ids(known)).toEqual(numbers(1, newest));
});

describe('after a pause', () => {
  test('the newest page continues what was there', () => {
    const before = firstPage(pageOf(25, 1));
    const known = withNewestPage(before, pageOf(30, 1), before);
    expect(ids(known)).toEqual(numbers(16, 30));
    expect(known.hasOlder).toBe(true);
  });

  test('after a longer one the earlier messages are dropped rather than leaving a gap', () => {
    const before = firstPage(pageOf(25, 1));
    expect(ids(withNewestPage(before, pageOf(60, 1), before))).toEqual(numbers(51, 60));
  });

  test('a message that arrives before the page hides no gap', () => {
    const before = firstPage(pageOf(25, 1));
    const known = withMessages(before, [message(60), message(61)], true);
    expect(ids(withNewestPage(known, pageOf(60, 1), before))).toEqual(numbers(51, 61));
  });
});

test('a message that arrives twice or late is shown once and in its place', () => {
  const known = withMessages(
    firstPage(pageOf(8, 1)),
    [message(10), message(9), message(10), message(3)],
    true,
  );
  expect(ids(known)).toEqual(numbers(1, 10));
});

test('the oldest messages are dropped only while the reader is at the end', () => {
  const many = range(2, 400);
  expect(withMessages(firstPage(pageOf(1, 1)), many, false).list).toHaveLength(400);
  const cut = withMessages(firstPage(pageOf(1, 1)), many, true);
  expect(ids(cut)).toEqual(numbers(301, 400));
  expect(cut.hasOlder).toBe(true);
  expect(ids(withOlderPage(cut, pageOf(400, olderPageNumber(cut))))).toEqual(numbers(291, 400));
});
