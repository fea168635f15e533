import type { BodyView, BodyViewKind, PlayerView } from '@engulf/netcode/decode/arena-view';
import { standardRules } from '@engulf/sim/rules';
import type { SizeLaw } from '@engulf/sim/size';
import { createMotion, lastSampleTick, type Motion, recordSample } from './motion.ts';

/** A cell, a drop of ejected mass or a virus, and where it is shown. */
export type Body = {
  readonly id: number;
  readonly kind: BodyViewKind;
  readonly player: PlayerView | undefined;
  /** Index into PLAYER_COLOURS. */
  readonly colour: number;
  readonly isOwn: boolean;
  readonly motion: Motion;
  firstTick: number;
  /** The first tick without it, and whether it was eaten rather than out of view. */
  goneTick: number;
  wasEaten: boolean;
  x: number;
  y: number;
  radius: number;
  /** Set for an own cell that was eaten, while it is still shown. */
  leaving: Leaving | undefined;
  /** Predicted to have merged into a larger own cell already. */
  isMerged: boolean;
  /** The tick at which an own cell is expected to eat it: from then on it is shown as eaten, unless the room disagrees. */
  eatenTick: number;
  /** How far ahead of where it was it is shown, because it will get away from an own cell. */
  readonly ahead: { x: number; y: number };
  /** When it appeared on the screen, and when it last swallowed something. */
  shownSinceMs: number;
  gulpedAtMs: number;
};

/** The way back from where a cell was predicted to where it was eaten. */
type Leaving = {
  readonly sinceTick: number;
  readonly offX: number;
  readonly offY: number;
  readonly eater: Body | undefined;
};

export type Bodies = Map<number, Body>;

const NEVER = Number.POSITIVE_INFINITY;

/** What a page may keep of each kind, and how often it looks. */
export const ENTITY_CACHE = { maxPerKind: 1_000, trimEveryMs: 30_000 } as const;

/**
 * Drops the oldest removed bodies where there are too many of a kind. Normally they are dropped when a frame shows that
 * they are gone, but a page in the background draws no frames.
 */
export function trimBodies(bodies: Bodies): void {
  const counts = { cell: 0, massFood: 0, virus: 0 };
  for (const { kind } of bodies.values()) counts[kind]++;
  for (const [id, { kind, goneTick }] of bodies) {
    if (counts[kind] <= ENTITY_CACHE.maxPerKind || goneTick === NEVER) continue;
    bodies.delete(id);
    counts[kind]--;
  }
}

type BodyLook = Pick<Body, 'id' | 'kind' | 'player' | 'colour' | 'isOwn' | 'x' | 'y' | 'radius'>;

export function createBody(
  { id, kind, player, colour, isOwn, x, y, radius }: BodyLook,
  firstTick: number,
): Body {
  return {
    id,
    kind,
    player,
    colour,
    isOwn,
    motion: createMotion(),
    firstTick,
    goneTick: NEVER,
    wasEaten: false,
    x,
    y,
    radius,
    leaving: undefined,
    isMerged: false,
    eatenTick: NEVER,
    ahead: { x: 0, y: 0 },
    shownSinceMs: NEVER,
    gulpedAtMs: -NEVER,
  };
}

/** Records the position of a body in the update of `tick`. A new one is shown from `shownFrom` on. */
export function recordBody(
  bodies: Bodies,
  tick: number,
  shownFrom: number,
  view: BodyView,
  isOwn: boolean,
): void {
  let body = bodies.get(view.id);
  if (!body) {
    body = createBody({ ...view, isOwn }, shownFrom);
    bodies.set(view.id, body);
  }
  recordSample(body.motion, tick, view.x, view.y, view.radius);
}

export function markGone(bodies: Bodies, tick: number, view: BodyView): void {
  const body = bodies.get(view.id);
  if (!body) return;
  body.goneTick = tick;
  body.wasEaten = view.isGone;
}

/** A full snapshot lists every body in view, so the others are gone. */
export function markUnseenGone(bodies: Bodies, tick: number): void {
  for (const body of bodies.values()) {
    const isKnown = body.motion.count > 0;
    if (isKnown && body.goneTick === NEVER && lastSampleTick(body.motion) < tick) body.goneTick = tick;
  }
}

export function isOwnCell(body: Body): boolean {
  return body.isOwn && body.kind === 'cell';
}

/** By what the room says, or by what it will say. */
export function isEaten({ wasEaten, eatenTick }: Body): boolean {
  return wasEaten || eatenTick !== NEVER;
}

export function isShown(body: Body): boolean {
  return body.shownSinceMs !== NEVER && !body.isMerged && body.eatenTick === NEVER;
}

/** By their sizes alone. */
export function isLargeEnoughToEat(eater: Sized, prey: Sized, { eighths }: SizeLaw): boolean {
  return eater.radius >= standardRules.eating.massRatio ** (eighths / 8) * prey.radius;
}

type Sized = Pick<Body, 'radius'>;

/** The messages do not name the eater: picks the larger cell around the prey whose centre is nearest. */
export function findEater(bodies: Bodies, x: number, y: number, preyRadius: number): Body | undefined {
  let eater: Body | undefined;
  let nearest = NEVER;
  for (const body of bodies.values()) {
    if (body.kind !== 'cell' || !isShown(body) || body.radius <= preyRadius) continue;
    const distance = Math.hypot(body.x - x, body.y - y);
    if (distance < body.radius + preyRadius * 0.5 && distance < nearest) {
      nearest = distance;
      eater = body;
    }
  }
  return eater;
}
