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

/** What a message that leaves them out means. */
export const FOOD_DEFAULTS = { radius: 15, mass: 2 } as const;

export const MAX_MASS_FOOD_DRAWN = 1_200;

/** Both sizes of virus. */
export const VIRUS_MASSES = { small: 85, large: 100 } as const;

/** An index outside 0 to 19 cannot come from our server; it gets a colour all the same. */
export function foodColour(colourIndex: number): string {
  return FOOD_COLOURS[colourIndex] ?? FOOD_COLOURS[0];
}
