/*
 * Where game processes stand and lobbies are played. A name is for people too: the menu shows it. A lobby or process
 * without one goes with any: installations in one place have no regions.
 */

/** From this on a game for money is no fair one, and players are told before they pay. */
export const FAR_MS = 250;

export function isRegionName(text: string): boolean {
  return /^[\p{L}\d]([\p{L}\d -]{0,22}[\p{L}\d])?$/u.test(text);
}

/** Whether a lobby of one region may run in a process of the other. */
export function isSameRegion(lobby: string | null, process: string | null): boolean {
  return lobby === null || process === null || lobby === process;
}
