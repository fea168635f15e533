/** The palette is the client's; its length is part of the protocol. */
export const PLAYER_COLOUR_COUNT = 12;

/** Depends on the id alone, so that everyone sees a player in the same colour. */
export function playerColourIndex(playerId: string): number {
  let sum = 0;
  for (let index = 0; index < playerId.length; index++) sum += playerId.charCodeAt(index);
  return sum % PLAYER_COLOUR_COUNT;
}
