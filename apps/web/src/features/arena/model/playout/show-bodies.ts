import { type Bodies, type Body, isOwnCell, isShown } from './bodies.ts';
import { type Pose, poseAt } from './motion.ts';

const NEVER = Number.POSITIVE_INFINITY;
/** When the news comes late, an own cell still takes a moment to meet its eater. */
const MIN_LEAVING_TICKS = 1.5;

const place: Pose = { x: 0, y: 0, radius: 0 };
const other: Pose = { x: 0, y: 0, radius: 0 };

/**
 * Moves every body to its position at `tick` and reports those that are gone by then. Own cells are placed by the
 * prediction, ahead of the rest; one that was eaten goes back to meet its eater.
 */
export function showBodies(bodies: Bodies, tick: number, nowMs: number, onGone: (body: Body) => void): void {
  for (const [key, body] of bodies) {
    const isLeaving = body.goneTick !== NEVER && isOwnCell(body) && body.wasEaten;
    if (
      tick >= (isLeaving ? leaveTick(body, tick) : body.goneTick) ||
      (isLeaving && hasMerged(bodies, body))
    ) {
      bodies.delete(key);
      if (isShown(body)) onGone(body);
      continue;
    }
    if (tick < body.firstTick && !isOwnCell(body)) continue;
    if (body.shownSinceMs === NEVER) body.shownSinceMs = nowMs;
    if (!isOwnCell(body)) poseAt(body.motion, tick, body);
    else if (isLeaving) leadBack(bodies, body, tick);
  }
}

function leaveTick({ goneTick, leaving }: Body, tick: number): number {
  return Math.max(goneTick, (leaving?.sinceTick ?? tick) + MIN_LEAVING_TICKS);
}

/** Ends where the cell was eaten when the tick of that is shown. Later, that place goes along with the eater. */
function leadBack(bodies: Bodies, body: Body, tick: number): void {
  const { goneTick, motion } = body;
  const eater = body.leaving ? body.leaving.eater : eaterOf(bodies, body);
  poseAt(motion, Math.min(tick, goneTick), place);
  if (eater && tick > goneTick) {
    poseAt(eater.motion, goneTick, other);
    place.x -= other.x;
    place.y -= other.y;
    poseAt(eater.motion, tick, other);
    place.x += other.x;
    place.y += other.y;
  }
  body.leaving ??= { sinceTick: tick, offX: body.x - place.x, offY: body.y - place.y, eater };
  const { offX, offY, sinceTick } = body.leaving;
  const endTick = leaveTick(body, tick);
  const left = (endTick - tick) / (endTick - sinceTick);
  body.x = place.x + offX * left;
  body.y = place.y + offY * left;
}

/** The messages do not name the eater: it is the larger cell that was nearest. */
function eaterOf(bodies: Bodies, body: Body): Body | undefined {
  poseAt(body.motion, body.goneTick, place);
  let eater: Body | undefined;
  let nearest = NEVER;
  for (const each of bodies.values()) {
    if (each.kind !== 'cell' || isOwnCell(each)) continue;
    poseAt(each.motion, body.goneTick, other);
    const distance = Math.hypot(other.x - place.x, other.y - place.y) - other.radius;
    if (other.radius <= place.radius || distance >= nearest) continue;
    nearest = distance;
    eater = each;
  }
  return eater;
}

/** Own cells that merge do so where they are shown, as soon as the room says so. */
function hasMerged(bodies: Bodies, body: Body): boolean {
  if (body.leaving) return false;
  if (body.isMerged) return true;
  poseAt(body.motion, body.goneTick, place);
  for (const sibling of bodies.values()) {
    if (!isOwnCell(sibling) || sibling === body || sibling.goneTick !== NEVER) continue;
    poseAt(sibling.motion, body.goneTick, other);
    const isInside = Math.hypot(other.x - place.x, other.y - place.y) < other.radius;
    if (isInside && other.radius > place.radius) return true;
  }
  return false;
}
