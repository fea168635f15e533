import { type PLAYER_COLOUR_COUNT, playerColourIndex } from '@engulf/netcode/player-rows';

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

export function playerColours(playerId: string): ColourPair {
  return PLAYER_COLOURS[playerColourIndex(playerId)]!;
}

export function hueColour(hueDegrees: number): string {
  return `hsl(${hueDegrees}, 100%, 60%)`;
}
