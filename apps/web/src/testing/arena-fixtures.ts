import type { PlayerView } from '@engulf/netcode/decode/arena-view';
import { standardRules } from '@engulf/sim/rules';
import { createCamera, resizeCamera } from '../features/arena/model/frame/camera.ts';
import type { Frame } from '../features/arena/model/frame/frame.ts';
import { createShownTide } from '../features/arena/model/frame/shown-tide.ts';
import { type Body, createBody } from '../features/arena/model/playout/bodies.ts';
import { createFoodInView } from '../features/arena/model/playout/food.ts';
import type { Look } from '../features/arena/render/look.ts';

export const PLAIN_LOOK: Look = {
  showBorder: true,
  showMass: true,
  roundFood: true,
  isDark: true,
  backgroundColor: undefined,
  lineColor: undefined,
  splitRedFlash: true,
  splitYellowRipple: false,
  isColourBlind: false,
};

export function aPlayer(name: string, colour = 0): PlayerView {
  return {
    slot: 0,
    id: 0,
    name,
    colour,
    isBot: false,
    isAdmin: false,
    picture: undefined,
    reward: '0.142(x1.42)',
    invulnerableUntilTick: 0,
    cells: [],
  };
}

export function aBody(change: Partial<Body> = {}): Body {
  const look = { id: 1, kind: 'cell', player: undefined, colour: 0, isOwn: false } as const;
  return { ...createBody({ ...look, x: 0, y: 0, radius: 50 }, 0), shownSinceMs: 0, ...change };
}

/** A frame of a window of 1000 × 800 pixels that looks at the origin at scale 1. */
export function aFrame(change: Partial<Frame> = {}): Frame {
  const camera = createCamera();
  resizeCamera(camera, 1000, 800);
  Object.assign(camera, { x: 0, y: 0, scale: 1 });
  return {
    nowMs: 1_000_000,
    elapsedMs: 16,
    tick: 1_000,
    ticksPerSecond: 25,
    emotes: [],
    worldSize: 7_000,
    tide: createShownTide(change.worldSize ?? 7_000),
    size: standardRules.size,
    camera,
    cells: [],
    viruses: [],
    massFood: [],
    known: [],
    gulps: [],
    food: createFoodInView(),
    portals: [],
    portalTiming: undefined,
    own: undefined,
    ...change,
  };
}
