import { MILLI } from '@engulf/sim/rules';
import type { World } from '@engulf/sim/world';
import { coverScale, playerZoom, type SizePx } from './camera.ts';

/** Whose eyes a message is made for: a rectangle of the world, and the player it belongs to, if any. */
export type Viewer = {
  centreX: number;
  centreY: number;
  halfWidth: number;
  halfHeight: number;
  /** A player's slot, or `NOBODY`. The cells of this player are sent wherever they are. */
  player: number;
};

export const NOBODY = -1;

/** What a camera that follows smoothly may show beyond the rectangle that the player is due. */
const MARGIN_WORLD = 48;

export function createViewer(): Viewer {
  return { centreX: 0, centreY: 0, halfWidth: 0, halfHeight: 0, player: NOBODY };
}

/** Points a viewer at a living player. `maxDistanceWorld` draws the view in for a poor connection. */
export function aimAtPlayer(
  viewer: Viewer,
  { players }: World,
  player: number,
  screen: SizePx,
  maxDistanceWorld: number,
): void {
  const pixelsPerUnit = coverScale(screen) * playerZoom(players.massMilli[player]! / MILLI);
  viewer.centreX = players.centreX[player]!;
  viewer.centreY = players.centreY[player]!;
  viewer.halfWidth = Math.min(screen.widthPx / pixelsPerUnit / 2 + MARGIN_WORLD, maxDistanceWorld);
  viewer.halfHeight = Math.min(screen.heightPx / pixelsPerUnit / 2 + MARGIN_WORLD, maxDistanceWorld);
  viewer.player = player;
}

/** Shows everything, as a spectator sees it. */
export function aimAtWorld(viewer: Viewer, worldSize: number): void {
  viewer.centreX = worldSize / 2;
  viewer.centreY = worldSize / 2;
  viewer.halfWidth = worldSize / 2;
  viewer.halfHeight = worldSize / 2;
  viewer.player = NOBODY;
}
