import * as card from '@engulf/card/player-colours';
import { type PLAYER_COLOUR_COUNT, playerColourIndex } from '@engulf/domain/profile/colour';

/** A cell's fill and the darker shade of its membrane. */
export type ColourPair = card.ColourPair;

export const EOSIN = card.EOSIN;

export const PLAYER_COLOURS = card.PLAYER_COLOURS satisfies readonly ColourPair[] & {
  length: typeof PLAYER_COLOUR_COUNT;
};

/** The colours of a player wherever no match has given it others: the chosen one, else that of the id. */
export function playerColours(id: string, colour: number | null = null): ColourPair {
  return PLAYER_COLOURS[colour ?? playerColourIndex(id)] ?? PLAYER_COLOURS[0];
}

/** Told apart by lightness and along blue to yellow, for those who confuse red and green. */
export const COLOUR_BLIND_COLOURS = [
  ['#A9B8C6', '#5F7184'],
  ['#E69F00', '#8F6200'],
  ['#F0E442', '#A39A12'],
  ['#C8D9A0', '#7C8F4C'],
  ['#009E73', '#00553E'],
  ['#7FDCCF', '#2F8F86'],
  ['#56B4E9', '#1C6F9E'],
  ['#2F6FD0', '#123C80'],
  ['#B9A6FF', '#6A52C4'],
  ['#9C6B3F', '#5E3C1E'],
  ['#D55E00', '#7E3600'],
  ['#F2F0E6', '#8F8C7C'],
] as const satisfies readonly ColourPair[] & { length: typeof PLAYER_COLOUR_COUNT };

export const FOOD_COLOURS = [
  '#FF6F91',
  '#FF8FA3',
  '#FF7A5C',
  '#FF9A4D',
  '#FFB23E',
  '#FFD93B',
  '#F2EE6B',
  '#C9E84F',
  '#8EDB55',
  '#4FE08F',
  '#3FD9B2',
  '#35D2C4',
  '#4CC9E8',
  '#55B9FF',
  '#6FA2FF',
  '#8C93FF',
  '#B79BFF',
  '#D98CF0',
  '#F184DE',
  '#F5E9D0',
] as const;

/** Falls back to the first colour for an index outside 0 to 19. */
export function foodColour(colourIndex: number): string {
  return FOOD_COLOURS[colourIndex] ?? FOOD_COLOURS[0];
}
