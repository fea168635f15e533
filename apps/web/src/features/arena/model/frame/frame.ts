import type { ArenaView, BodyView, PlayerView, PortalTiming } from '@engulf/netcode/decode/arena-view';
import type { WorldHeader } from '@engulf/netcode/format/world-header';
import { standardRules } from '@engulf/sim/rules';
import type { SizeLaw } from '@engulf/sim/size';
import type { Body } from '../playout/bodies.ts';
import { createFoodInView, type FoodInView } from '../playout/food.ts';
import { type Camera, createCamera } from './camera.ts';
import type { ShownEmote } from './emotes.ts';
import type { Gulp } from './gulps.ts';
import { WORLD } from './map-grid.ts';
import { createShownTide, type ShownTide } from './shown-tide.ts';

export type ShownPortal = {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly opacity: number;
  /** Until it opens during the warning, until it closes afterwards. */
  readonly secondsLeft: number;
  readonly isOpen: boolean;
};

/** A player where it is shown: the one at this screen, or one that is watched. */
export type ShownPlayer = {
  readonly player: PlayerView;
  /** The centre of mass of its cells. */
  readonly x: number;
  readonly y: number;
  readonly mass: number;
  readonly cellCount: number;
  /** The largest cell: the one that has to reach a portal. */
  readonly primary: Body;
};

/** What it took to draw a frame. */
export type FrameCost = {
  readonly frameMs: number;
  readonly renderer: string;
  /** How far the picture lags behind the room. */
  readonly delayMs: number;
};

/** Everything the passes need to draw one picture. Lists are reused from frame to frame. */
export type Frame = {
  nowMs: number;
  elapsedMs: number;
  /** The tick being shown. */
  tick: number;
  ticksPerSecond: number;
  worldSize: number;
  /** The dry part of the world. */
  readonly tide: ShownTide;
  /** The law of the arena: a recording may be older than the page. */
  size: SizeLaw;
  readonly camera: Camera;
  /** In sight only, smallest first. */
  readonly cells: Body[];
  readonly viruses: Body[];
  readonly massFood: Body[];
  /** Everything the room has told, also what the camera does not show. */
  readonly known: readonly BodyView[];
  readonly gulps: Gulp[];
  readonly food: FoodInView;
  portals: readonly ShownPortal[];
  portalTiming: PortalTiming | undefined;
  own: ShownPlayer | undefined;
  /** What players say with one key. */
  emotes: readonly ShownEmote[];
};

export function createFrame(view: ArenaView): Frame {
  const frame: Frame = {
    nowMs: 0,
    elapsedMs: 0,
    tick: 0,
    ticksPerSecond: 25,
    worldSize: WORLD.size,
    tide: createShownTide(WORLD.size),
    size: standardRules.size,
    camera: createCamera(),
    cells: [],
    viruses: [],
    massFood: [],
    known: view.bodies,
    gulps: [],
    food: createFoodInView(),
    portals: [],
    portalTiming: undefined,
    own: undefined,
    emotes: [],
  };
  if (view.world) adoptWorld(frame, view.world);
  return frame;
}

/** Every full snapshot brings the size of its world and how fast it runs. */
export function adoptWorld(frame: Frame, { worldSize, ticksPerSecond, rules }: WorldHeader): void {
  frame.worldSize = worldSize;
  frame.size = rules.size;
  frame.ticksPerSecond = ticksPerSecond;
}

export function invulnerableForS(frame: Frame, player: PlayerView): number {
  return Math.max(0, (player.invulnerableUntilTick - frame.tick) / frame.ticksPerSecond);
}
