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
  readonly firstTick: number;
  /** The first tick without it, and whether it was eaten rather than out of view. */
  goneTick: number;
  wasEaten: boolean;
  x: number;
  y: number;
  radius: number;
  /** When it appeared on the screen, and when it last swallowed something. */
  shownSinceMs: number;
  gulpedAtMs: number;
};

export type Bodies = Map<number, Body>;

const NEVER = Number.POSITIVE_INFINITY;

/** Records the position of a body in the update of `tick`. */
export function recordBody(bodies: Bodies, tick: number, view: BodyView, isOwn: boolean): void {
  let body = bodies.get(view.id);
  if (!body) {
    body = {
      id: view.id,
      kind: view.kind,
      player: view.player,
      colour: view.colour,
      isOwn,
      motion: createMotion(),
      firstTick: tick,
      goneTick: NEVER,
      wasEaten: false,
      x: view.x,
      y: view.y,
      radius: view.radius,
      shownSinceMs: NEVER,
      gulpedAtMs: -NEVER,
    };
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
    if (body.goneTick === NEVER && lastSampleTick(body.motion) < tick) body.goneTick = tick;
  }
}

/**
 * Moves every body to its position at `tick` and reports those that are gone by then. The own cells are shown ahead of
 * the rest: they appear and disappear as soon as the room says so.
 */
export function showBodies(bodies: Bodies, tick: number, nowMs: number, onGone: (body: Body) => void): void {
  for (const body of bodies.values()) {
    const isAhead = isOwnCell(body);
    if (tick >= body.goneTick || (isAhead && body.goneTick !== NEVER)) {
      bodies.delete(body.id);
      if (isShown(body)) onGone(body);
      continue;
    }
    if (tick < body.firstTick && !isAhead) continue;
    if (!isShown(body)) body.shownSinceMs = nowMs;
    poseAt(body.motion, tick, body);
  }
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
