/*
 * The card of a cash-out: what stands where. The page draws it as a preview, the server as the picture that is shared;
 * both measure texts with the same fonts.
 */

import type { ColourPair } from './player-colours.ts';

export const CARD = { width: 1200, height: 630, pixelRatio: 2 } as const;

/** What a card says. */
export type CardFacts = {
  readonly playerName: string;
  readonly lobbyName: string;
  /** '3.42' */
  readonly multiplier: string;
  /** '0.342 SOL' */
  readonly amount: string;
  /** What the amount was worth, or that it is play money. */
  readonly worth: string | null;
  readonly entryFee: string;
  readonly finalMass: string;
  /** Whether more came out than went in. Only then are the figures in the colours of a profit. */
  readonly isGain: boolean;
  /** Of the player's cell. */
  readonly colours: ColourPair;
};

type CardFont = 'display' | 'text' | 'bold';

export type CardText = {
  readonly text: string;
  readonly font: CardFont;
  readonly sizePx: number;
  /** The left end of the baseline. */
  readonly x: number;
  readonly y: number;
  readonly colour: string;
};

export type MeasureText = (text: string, font: CardFont, sizePx: number) => number;

/** Where the player's picture goes, twice: in the cell and beside the name. */
export const CARD_PORTRAITS = [
  { x: 908, y: 264, r: 63 },
  { x: 92, y: 546, r: 31 },
] as const;

const LEFT = 62;
const RIGHT = 1140;
const CREAM = '#F5F2E7';
const YOLK = '#FFD93B';
const PROFIT = '#4FE08F';
const MUTED = '#BBC6C0';

export function layoutCard(facts: CardFacts, measure: MeasureText): CardText[] {
  const { playerName, lobbyName, multiplier, amount, worth, entryFee, finalMass, isGain } = facts;
  const fittingPx = (text: string, font: CardFont, sizePx: number, maxWidth: number) =>
    fitText(measure, text, font, sizePx, maxWidth);
  const headline = `x${multiplier}`;
  const won = Number(multiplier) < 1 ? amount : `+${amount}`;
  const worthWidth = worth === null ? 0 : 18 + measure(worth, 'text', 30);
  const wonPx = fittingPx(won, 'bold', 60, 566 - worthWidth);
  const worthX = LEFT + measure(won, 'bold', wonPx) + 18;
  const exit = `Out through the portal in ${lobbyName}`;
  const massX = RIGHT - Math.max(measure('Final mass', 'text', 17), measure(finalMass, 'bold', 27));
  const feeRight = massX - 38;
  const endingAt = (right: number, text: string, font: CardFont, sizePx: number) =>
    right - measure(text, font, sizePx);
  const texts: CardText[] = [
    {
      text: headline,
      font: 'display',
      sizePx: fittingPx(headline, 'display', 212, 566),
      x: LEFT,
      y: 332,
      colour: isGain ? YOLK : CREAM,
    },
    { text: won, font: 'bold', sizePx: wonPx, x: LEFT, y: 412, colour: isGain ? PROFIT : CREAM },
    { text: playerName, font: 'display', sizePx: 32, x: 142, y: 544, colour: CREAM },
    { text: exit, font: 'text', sizePx: fittingPx(exit, 'text', 18, 480), x: 142, y: 571, colour: MUTED },
    {
      text: 'Entry fee',
      font: 'text',
      sizePx: 17,
      x: endingAt(feeRight, 'Entry fee', 'text', 17),
      y: 533,
      colour: MUTED,
    },
    {
      text: entryFee,
      font: 'bold',
      sizePx: 27,
      x: endingAt(feeRight, entryFee, 'bold', 27),
      y: 567,
      colour: CREAM,
    },
    {
      text: 'Final mass',
      font: 'text',
      sizePx: 17,
      x: endingAt(RIGHT, 'Final mass', 'text', 17),
      y: 533,
      colour: MUTED,
    },
    {
      text: finalMass,
      font: 'bold',
      sizePx: 27,
      x: endingAt(RIGHT, finalMass, 'bold', 27),
      y: 567,
      colour: CREAM,
    },
  ];
  if (worth !== null) {
    texts.push({ text: worth, font: 'text', sizePx: 30, x: worthX, y: 412, colour: MUTED });
  }
  return texts;
}

/** The largest size up to `sizePx` in which the text fits. */
export function fitText(
  measure: MeasureText,
  text: string,
  font: CardFont,
  sizePx: number,
  maxWidth: number,
): number {
  return Math.min(sizePx, Math.floor((sizePx * maxWidth) / measure(text, font, sizePx)));
}
