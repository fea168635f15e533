/** Below this size on the screen a cell shows its portrait large and its name outside. */
export const LABELLED_FROM_PX = 60;

/** Below this there is no room for a portrait at all. */
export const NUCLEUS_FROM_PX = 20;

/** From small to labelled the portrait makes room for the name over this many pixels instead of jumping. */
const TRANSITION_PX = 16;

/** The nucleus of a cell, as shares of its radius: how large it is, and how far it lies above the centre. */
export function nucleusPlace(radiusPx: number): { readonly share: number; readonly rise: number } {
  const room = Math.min(1, Math.max(0, (radiusPx - LABELLED_FROM_PX) / TRANSITION_PX + 0.5));
  return { share: 0.56 - 0.12 * room, rise: 0.12 * room };
}
