import { standardRules } from '@engulf/sim/rules';

const { worldSize } = standardRules;

/** The dish in world units, until the room has told its own size. */
export const WORLD = { size: worldSize, centre: worldSize / 2, gridStep: 50 } as const;
