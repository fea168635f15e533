import { expect, test } from 'vitest';
import { createEmotes } from './emotes.ts';

test('an emote stays for some seconds, and the next of the same player takes its place', () => {
  const emotes = createEmotes();
  emotes.note('ann', 0, 1_000);
  emotes.note('bob', 1, 1_500);
  emotes.note('ann', 5, 2_000);
  expect(emotes.shown(2_100).map(({ name, text }) => [name, text])).toEqual([
    ['ann', 'Run!'],
    ['bob', 'GG'],
  ]);
  expect(emotes.shown(4_200).map(({ name }) => name)).toEqual(['ann']);
  expect(emotes.shown(9_000)).toEqual([]);
});

test('an emote that this page does not know is not shown', () => {
  const emotes = createEmotes();
  emotes.note('ann', 99, 0);
  expect(emotes.shown(1)).toEqual([]);
});
