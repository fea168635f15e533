import type { PLAYER_COLOUR_COUNT } from '@engulf/netcode/format/player-rows';

/** A cell's fill and the darker shade of its membrane. */
export type ColourPair = readonly [fill: string, membrane: string];

export const PLAYER_COLOURS = [
  ['#FF6F91', '#C7385F'],
  ['#FFB23E', '#C9741A'],
  ['#FFD93B', '#CF9612'],
  ['#B9E04E', '#7AA01F'],
  ['#4FE08F', '#1E9A5A'],
  ['#35D2C4', '#138A83'],
  ['#55B9FF', '#1F78BF'],
  ['#7C93FF', '#4257C6'],
  ['#B79BFF', '#7A5CCB'],
  ['#F184DE', '#AE429F'],
  ['#FF8158', '#C2451F'],
  ['#DED3BA', '#978A6C'],
] as const satisfies readonly ColourPair[] & { length: typeof PLAYER_COLOUR_COUNT };

/** The colours of a player wherever no match has given it others. */
export function playerColours(id: string): ColourPair {
  let sum = 0;
  for (let index = 0; index < id.length; index++) sum += id.charCodeAt(index);
  return PLAYER_COLOURS[sum % PLAYER_COLOURS.length]!;
}

/** Told apart by lightness and along blue to yellow, for those who confuse red and green. */
export const COLOUR_BLIND_COLOURS = [
  ['#FF8FB8', '#B23A72'],
  ['#E69F00', '#8F6200'],
  ['#F0E442', '#A39A12'],
  ['#C8D9A0', '#7C8F4C'],
  ['#009E73', '#00553E'],
  ['#7FDCCF', '#2F8F86'],
  ['#56B4E9', '#1C6F9E'],
  ['#2F6FD0', '#123C80'],
  ['#B9A6FF', '#6A52C4'],
  ['#CC79A7', '#7F3A62'],
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
