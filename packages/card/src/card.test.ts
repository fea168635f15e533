import { expect, test } from 'vitest';
import { cardArt, wrapCard } from './card-art.ts';
import { CARD, type CardFacts, type CardText, layoutCard, type MeasureText } from './card-layout.ts';
import { layoutInviteCard } from './invite-card.ts';
import { layoutMatchCard } from './match-card.ts';
import { EOSIN, PLAYER_COLOURS } from './player-colours.ts';

const FACTS: CardFacts = {
  playerName: 'MoonYolk',
  lobbyName: 'Mitosis',
  multiplier: '3.42',
  amount: '0.342 SOL',
  worth: '$48.77',
  entryFee: '0.1 SOL',
  finalMass: '2,184',
  isGain: true,
  colours: EOSIN,
};
/** Wider than the real fonts. */
const measure: MeasureText = (text, _, sizePx) => text.length * sizePx * 0.7;

test.each([
  ['usual figures', {}],
  ['huge figures', { multiplier: '123456.78', amount: '123456789.123 TOKENS', worth: '$123,456,789.00' }],
  ['no dollars', { worth: null }],
])('all texts of %s stay on the card and apart', (_, change) => {
  expectApart(layoutCard({ ...FACTS, ...change }, measure));
});

test.each([
  ['Shallows', '0.095 SOL'],
  ['A lobby whose name is far too long for any card', '123456789.123 TOKENS'],
  ['Nobody left', null],
])('the card of a match in %s fits, too', (lobbyName, bestCashOut) => {
  const bestPlayer = bestCashOut === null ? null : 'MoonYolk';
  const facts = { lobbyName, extent: '1,234 entries, 1,440 min', bestCashOut, bestPlayer };
  expectApart(layoutMatchCard(facts, measure));
});

test.each(['Shallows', 'A lobby whose name is far too long for any card'])(
  'an invitation to %s fits, too',
  (lobbyName) =>
    expectApart(layoutInviteCard({ lobbyName, price: 'An entry costs 123456789.123 TOKENS' }, measure)),
);

/** Every text stands on the card, and none on another. */
function expectApart(texts: readonly CardText[]): void {
  const boxes = texts.map(({ text, font, sizePx, x, y }) => ({
    left: x,
    right: x + measure(text, font, sizePx),
    top: y - sizePx * 0.7,
    bottom: y,
  }));
  for (const [index, box] of boxes.entries()) {
    expect(box.left, texts[index]!.text).toBeGreaterThanOrEqual(60);
    expect(box.right, texts[index]!.text).toBeLessThanOrEqual(CARD.width - 55);
    for (const other of boxes.slice(index + 1)) {
      const isApart =
        box.right <= other.left ||
        other.right <= box.left ||
        box.bottom <= other.top ||
        other.bottom <= box.top;
      expect(isApart, texts[index]!.text).toBe(true);
    }
  }
}

test('only a gain has the colours of one', () => {
  const coloursOf = (isGain: boolean) =>
    layoutCard({ ...FACTS, isGain }, measure).map(({ colour }) => colour);
  expect(coloursOf(true)).toContain('#4FE08F');
  expect(coloursOf(false)).not.toContain('#4FE08F');
  expect(coloursOf(false)).not.toContain('#FFD93B');
});

test('the art is the same each time and asks for nothing from outside', () => {
  const svg = wrapCard(cardArt(), 2);
  expect(svg).toBe(wrapCard(cardArt(), 2));
  expect(svg).not.toMatch(/NaN|undefined|<text|href=|url\((?!#)/);
});

test('the cell on a card has the colours of its player', () => {
  expect(cardArt(PLAYER_COLOURS[4])).toContain('#4FE08F');
  expect(cardArt(PLAYER_COLOURS[4])).not.toContain(EOSIN[1]);
});
