/** How many colours a cell can have. The palette is the page's; its length is part of the protocol. */
export const PLAYER_COLOUR_COUNT = 12;

/** For who has not chosen one. Depends only on the id, so that everyone sees a player in the same colour. */
export function playerColourIndex(id: string): number {
  let sum = 0;
  for (let index = 0; index < id.length; index++) sum += id.charCodeAt(index);
  return sum % PLAYER_COLOUR_COUNT;
}
