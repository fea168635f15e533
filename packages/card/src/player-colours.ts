/** A cell's fill and the darker shade of its membrane. */
export type ColourPair = readonly [fill: string, membrane: string];

/** The product's pink: the ring around the own cells, and no player's body. */
export const EOSIN: ColourPair = ['#FF6F91', '#C7385F'];

export const PLAYER_COLOURS = [
  ['#A7B8C9', '#64788C'],
  ['#FFB23E', '#C9741A'],
  ['#FFD93B', '#CF9612'],
  ['#B9E04E', '#7AA01F'],
  ['#4FE08F', '#1E9A5A'],
  ['#35D2C4', '#138A83'],
  ['#55B9FF', '#1F78BF'],
  ['#7C93FF', '#4257C6'],
  ['#B79BFF', '#7A5CCB'],
  ['#D39A6A', '#93602F'],
  ['#FF8158', '#C2451F'],
  ['#DED3BA', '#978A6C'],
] as const satisfies readonly ColourPair[];
