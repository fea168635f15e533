import { MILLI } from '@engulf/sim/rules';
import type { World } from '@engulf/sim/world';
import { coverScale, playerZoom, type SizePx } from './camera.ts';

/** Who a message is for: the visible rectangle of the world, and the player it belongs to, if any. */
export type Viewer = {
  centreX: number;
  centreY: number;
  halfWidth: number;
  halfHeight: number;
  /** A player's slot, or `NOBODY`. The cells of this player are sent wherever they are. */
  player: number;
  /** The sequence number of the player's latest input that the arena has taken. */
  acknowledged: number;
};

export const NOBODY = -1;

/** How far a smoothly following camera may show more than the player's rectangle. */
const MARGIN_WORLD = 48;

export function createViewer(): Viewer {
  return { centreX: 0, centreY: 0, halfWidth: 0, halfHeight: 0, player: NOBODY, acknowledged: 0 };
}

/** Points a viewer at a living player. `maxDistanceWorld` limits the view on a poor connection. */
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

/** Shows the whole world, for spectators. */
export function aimAtWorld(viewer: Viewer, worldSize: number): void {
  viewer.centreX = worldSize / 2;
  viewer.centreY = worldSize / 2;
  viewer.halfWidth = worldSize / 2;
  viewer.halfHeight = worldSize / 2;
  viewer.player = NOBODY;
}
