import type { RoomChatLine } from '@engulf/protocol/room/chat-messages';
import { expect, test } from 'vitest';
import { type ChatLine, readLine, withHistory, withLine } from './chat-log.ts';

const said = (id: number, timestamp = id): RoomChatLine => ({
  id: String(id),
  sender: 'Wobble',
  lobbyId: 'lobby',
  user_id: 'u1',
  message: `message ${id}`,
  avatarUrl: null,
  timestamp,
  type: 'player',
});
const texts = (lines: readonly ChatLine[]) => lines.map(({ text }) => text);

test('a list of 50 is cut to 30 by the next line', () => {
  let lines: readonly ChatLine[] = [];
  for (let id = 1; id <= 50; id++) lines = withLine(lines, readLine(said(id)));
  expect(lines).toHaveLength(50);
  lines = withLine(lines, readLine(said(51)));
  expect(texts(lines)).toEqual(Array.from({ length: 30 }, (_, nth) => `message ${22 + nth}`));
  expect(new Set(lines.map(({ key }) => key)).size).toBe(30);
});

test('a line that arrives twice is shown once', () => {
  const once = withLine([], readLine(said(1)));
  expect(withLine(once, readLine(said(1)))).toBe(once);
});

test('the history takes the place of what was said, and leaves the notices of this window', () => {
  let lines = withLine([], { type: 'join', text: 'Wobble joined the lobby', timestamp: 5 });
  lines = withLine(lines, readLine(said(9)));
  expect(texts(withHistory(lines, [said(3), said(9)]))).toEqual([
    'message 3',
    'Wobble joined the lobby',
    'message 9',
  ]);
  expect(texts(withHistory(lines, []))).toEqual(['Wobble joined the lobby']);
});

test('a line that was there keeps its key when the history is read again', () => {
  const lines = withLine([], readLine(said(9)));
  expect(withHistory(lines, [said(9)])[0]).toBe(lines[0]);
});
