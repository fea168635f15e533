import type { BodyView, BodyViewKind, PlayerView } from '@engulf/netcode/arena-view';
import { createMotion, lastSampleTick, type Motion, poseAt, recordSample } from './motion.ts';

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
  /** An own cell on its way back from where it was predicted to where it was eaten. */
  leaving: { readonly offX: number; readonly offY: number; readonly sinceTick: number } | undefined;
  /** When it appeared on the screen, and when it last swallowed something. */
  shownSinceMs: number;
  gulpedAtMs: number;
};

export type Bodies = Map<number, Body>;

const NEVER = Number.POSITIVE_INFINITY;

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
    shownSinceMs: NEVER,
    gulpedAtMs: -NEVER,
  };
}

/** Records the position of a body in the update of `tick`. */
export function recordBody(bodies: Bodies, tick: number, view: BodyView, isOwn: boolean): void {
  let body = bodies.get(view.id);
  if (!body) {
    body = createBody({ ...view, isOwn }, tick);
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

/**
 * Moves every body to its position at `tick` and reports those that are gone by then. Own cells are placed by the
 * prediction, ahead of the rest; one that was eaten goes back to meet its eater.
 */
export function showBodies(bodies: Bodies, tick: number, nowMs: number, onGone: (body: Body) => void): void {
  for (const [key, body] of bodies) {
    if (tick >= body.goneTick || (body.goneTick !== NEVER && hasMerged(bodies, body))) {
      bodies.delete(key);
      if (isShown(body)) onGone(body);
      continue;
    }
    const isAhead = isOwnCell(body);
    if (tick < body.firstTick && !isAhead) continue;
    if (!isShown(body)) body.shownSinceMs = nowMs;
    if (!isAhead) poseAt(body.motion, tick, body);
    else if (body.goneTick !== NEVER) leadBack(body, tick);
  }
}

/** Ends where the cell was eaten when the tick of that is shown. */
function leadBack(body: Body, tick: number): void {
  const { x, y, radius } = body;
  poseAt(body.motion, tick, body);
  body.leaving ??= { offX: x - body.x, offY: y - body.y, sinceTick: tick };
  const { offX, offY, sinceTick } = body.leaving;
  const left = (body.goneTick - tick) / Math.max(body.goneTick - sinceTick, 1e-6);
  body.x += offX * left;
  body.y += offY * left;
  body.radius = radius;
}

/** Own cells that merge do so where they are shown, as soon as the room says so. */
function hasMerged(bodies: Bodies, body: Body): boolean {
  if (!isOwnCell(body) || body.leaving || !body.wasEaten) return false;
  const last = { x: 0, y: 0, radius: 0 };
  const other = { x: 0, y: 0, radius: 0 };
  poseAt(body.motion, body.goneTick, last);
  for (const sibling of bodies.values()) {
    if (!isOwnCell(sibling) || sibling === body || sibling.goneTick !== NEVER) continue;
    poseAt(sibling.motion, body.goneTick, other);
    if (other.radius > last.radius && Math.hypot(other.x - last.x, other.y - last.y) < other.radius) return true;
  }
  return false;
}

export function isOwnCell(body: Body): boolean {
  return body.isOwn && body.kind === 'cell';
}

export function isShown(body: Body): boolean {
  return body.shownSinceMs !== NEVER;
}

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
