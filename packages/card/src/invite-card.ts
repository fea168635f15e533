import { type CardText, fitText, type MeasureText } from './card-layout.ts';

/** What the card of an invitation says. */
export type InviteCardFacts = {
  readonly lobbyName: string;
  /** '0.05 SOL to enter', or that it is free. */
  readonly price: string;
};

const LEFT = 62;
const MAX_WIDTH = 566;
const CREAM = '#F5F2E7';
const YOLK = '#FFD93B';
const MUTED = '#BBC6C0';

/** Beside the art of a cash-out's card: what stands where on an invitation into a lobby. */
export function layoutInviteCard({ lobbyName, price }: InviteCardFacts, measure: MeasureText): CardText[] {
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
    line('You are invited to', 'text', 30, 208, MUTED),
    line(lobbyName, 'display', 96, 304, YOLK),
    line(price, 'bold', 38, 372, CREAM),
    line('Eat. Grow. Leave through a portal.', 'text', 26, 566, CREAM),
  ];
}
