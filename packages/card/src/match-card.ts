import { type CardText, fitText, type MeasureText } from './card-layout.ts';

/** What the card of a match says. */
export type MatchCardFacts = {
  readonly lobbyName: string;
  /** '12 entries, 34 min' */
  readonly extent: string;
  /** '0.342 SOL', or null if nobody has cashed out. */
  readonly bestCashOut: string | null;
  /** Who took it; the cell has this player's face. */
  readonly bestPlayer: string | null;
};

const LEFT = 62;
const MAX_WIDTH = 566;
const CREAM = '#F5F2E7';
const YOLK = '#FFD93B';
const MUTED = '#BBC6C0';

/** Beside the art of a cash-out's card: what stands where on the card of a whole match. */
export function layoutMatchCard(facts: MatchCardFacts, measure: MeasureText): CardText[] {
  const { lobbyName, extent, bestCashOut, bestPlayer } = facts;
  const line = (
    text: string,
    font: CardText['font'],
    sizePx: number,
    y: number,
    colour: string,
  ): CardText => ({
    text,
    font,
    sizePx: fitText(measure, text, font, sizePx, MAX_WIDTH),
    x: LEFT,
    y,
    colour,
  });
  return [
    line('A match in', 'text', 30, 208, MUTED),
    line(lobbyName, 'display', 96, 304, YOLK),
    line(extent, 'bold', 38, 372, CREAM),
    ...(bestCashOut === null ? [] : [line(`Best cash-out ${bestCashOut}`, 'bold', 30, 424, CREAM)]),
    ...(bestPlayer === null ? [] : [line(`by ${bestPlayer}`, 'text', 24, 460, MUTED)]),
    line('Watch it again and check it yourself.', 'text', 26, 566, CREAM),
  ];
}
