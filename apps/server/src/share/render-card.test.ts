import { expect, test } from 'vitest';
import { renderMatchCard } from './render-card.ts';

const facts = { lobbyName: 'Puddle', extent: '3 entries, 5 min', bestCashOut: null, bestPlayer: null };

test('two cards are drawn at a time, and more are refused rather than take the cores from the matches', async () => {
  const cards = await Promise.all([1, 2, 3, 4].map(() => renderMatchCard(facts)));
  expect(cards.map((card) => card !== undefined)).toEqual([true, true, false, false]);
  expect(await renderMatchCard(facts)).toEqual(cards[0]);
});
