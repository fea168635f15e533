/** The dish, in world units. */
export const WORLD = { size: 7_000, centre: 3_500, gridStep: 50 } as const;
