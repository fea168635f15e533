import type { ArenaSource } from './arena-source.ts';
import { playerZoom } from './camera.ts';
import { LAYOUT_REFERENCE, type SizePx } from './layout-scale.ts';

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

/**
 * Screen pixels per world unit at zoom 1. The reference screen is scaled until it covers the window, so a
 * larger or wider window shows the same part of the world in more detail, never more of it.
 */
export function coverScale({ widthPx, heightPx }: SizePx): number {
  const { game } = LAYOUT_REFERENCE;
  return Math.max(widthPx / game.widthPx, heightPx / game.heightPx);
}

export function createViewer(): Viewer {
  return { centreX: 0, centreY: 0, halfWidth: 0, halfHeight: 0, player: NOBODY };
}

/** Points a viewer at a living player. `maxDistanceWorld` draws the view in for a poor connection. */
export function aimAtPlayer(
  viewer: Viewer,
  source: ArenaSource,
  player: number,
  screen: SizePx,
  maxDistanceWorld: number,
): void {
  const { players } = source;
  const pixelsPerUnit = coverScale(screen) * playerZoom(players.massMilli[player]! / 1000);
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
