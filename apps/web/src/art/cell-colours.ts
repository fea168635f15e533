import { useSetting } from '../shared/settings.ts';
import { COLOUR_BLIND_COLOURS, PLAYER_COLOURS } from './palette.ts';

/** The palette of the cells as the player wants it, for what stands beside the arena. */
export function useCellColours(): typeof PLAYER_COLOURS | typeof COLOUR_BLIND_COLOURS {
  const [isColourBlind] = useSetting('colourBlind');
  return isColourBlind ? COLOUR_BLIND_COLOURS : PLAYER_COLOURS;
}
