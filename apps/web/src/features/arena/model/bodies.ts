import type { BodyView, BodyViewKind, PlayerView } from '@engulf/netcode/arena-view';
import { createMotion, lastSampleTick, type Motion, poseAt, recordSample } from './motion.ts';

/** One cell, drop of ejected mass or virus, and where it is shown right now. */
export type Body = {
  readonly id: number;
  readonly kind: BodyViewKind;
  readonly player: PlayerView | undefined;
  /** Index into the palette of players. */
  readonly colour: number;
  readonly isOwn: boolean;
  readonly motion: Motion;
  readonly firstTick: number;
  /** The first tick it was no longer there at, and whether it was eaten rather than out of sight. */
  goneTick: number;
  wasEaten: boolean;
  x: number;
  y: number;
  radius: number;
  /** Since when it is on the screen, and when it last swallowed something. */
  shownSinceMs: number;
  gulpedAtMs: number;
};

export type Bodies = Map<number, Body>;

const NEVER = Number.POSITIVE_INFINITY;

/** Takes note of where a body is in the update of `tick`. */
export function seeBody(bodies: Bodies, tick: number, view: BodyView, isOwn: boolean): void {
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

export function missBody(bodies: Bodies, tick: number, view: BodyView): void {
  const body = bodies.get(view.id);
  if (!body) return;
  body.goneTick = tick;
  body.wasEaten = view.isGone;
}

/** A full snapshot names all there is: whatever else is still remembered got lost on the way. */
export function missUnseenBodies(bodies: Bodies, tick: number): void {
  for (const body of bodies.values()) {
    if (body.goneTick === NEVER && lastSampleTick(body.motion) < tick) body.goneTick = tick;
  }
}

/**
 * Moves everything to where it was at `tick`, the one on show. `onGone` gets each body whose time is over. The
 * own cells come and go with the news: they are shown ahead of the rest.
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

/** The cell that a vanished thing most likely went into: the one whose centre is nearest of those around it. */
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
