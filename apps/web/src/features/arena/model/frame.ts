import type { PlayerView, PortalTiming } from '@engulf/netcode/arena-view';
import type { Body } from './bodies.ts';
import type { Camera } from './camera.ts';
import type { FoodInView } from './food.ts';
import type { Gulp } from './gulps.ts';

export type ShownPortal = {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly opacity: number;
  /** Until it opens, while it warns; until it closes, while it is open. */
  readonly secondsLeft: number;
  readonly isOpen: boolean;
};

/** The player of this screen, while it lives. */
export type OwnPlayer = {
  readonly player: PlayerView;
  /** The middle of its cells by mass. */
  readonly x: number;
  readonly y: number;
  readonly mass: number;
  readonly cellCount: number;
  /** The largest cell: the one that has to reach a portal. */
  readonly primary: Body;
};

/** Everything the passes need to draw one picture. Lists are reused from frame to frame. */
export type Frame = {
  nowMs: number;
  elapsedMs: number;
  /** The tick on show. */
  tick: number;
  ticksPerSecond: number;
  worldSize: number;
  readonly camera: Camera;
  /** In sight only, the smaller before the larger. */
  readonly cells: Body[];
  readonly viruses: Body[];
  readonly massFood: Body[];
  readonly gulps: Gulp[];
  readonly food: FoodInView;
  portals: readonly ShownPortal[];
  portalTiming: PortalTiming | undefined;
  own: OwnPlayer | undefined;
};

export function invulnerableForS(frame: Frame, player: PlayerView): number {
  return Math.max(0, (player.invulnerableUntilTick - frame.tick) / frame.ticksPerSecond);
}

/**
 * Pink means you, on every screen. Whoever else would be pink by the palette gets the colour that one gave up,
 * or, when the palette made one pink anyway, orchid.
 */
export const OWN_COLOUR = 0;
const STAND_IN_COLOUR = 9;

export function shownColour(colour: number, isOwn: boolean, ownColour: number | undefined): number {
  if (isOwn) return OWN_COLOUR;
  if (colour !== OWN_COLOUR || ownColour === undefined) return colour;
  return ownColour === OWN_COLOUR ? STAND_IN_COLOUR : ownColour;
}
