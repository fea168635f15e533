import type { OwnCellRules } from '@engulf/sim/own-cells';
import { type Bodies, type Body, isLargeEnoughToEat, isOwnCell, isShown } from '../playout/bodies.ts';
import { aheadOf, lastSampleTick, type Pose } from '../playout/motion.ts';

/*
 * The own cells are shown ahead of the room, and others behind it, so prey would lie inside its eater for as long as messages
 * are under way. What the own cells are about to eat is shown as eaten at once, and again if the room disagrees. What gets
 * away is shown farther on its way, as far as it takes not to lie inside.
 */

/** What the page knows and shows of time, in ticks of the room. */
type Times = { readonly ownTick: number; readonly knownTick: number; readonly elapsedMs: number };

const NEVER = Number.POSITIVE_INFINITY;
/** An input may take effect a little later than expected. */
const LATE_TICKS = 4;
/** The wire rounds radii, so one that is barely large enough may not be. */
const SURELY_LARGER = 1.01;
/** How much deeper prey has to be than the rules ask; a cell more so, for each tick over which its way is guessed. */
const SURELY_DEEPER = 3;
const CELL_DEEPER = { always: 9, perTick: 4 };
/** How far from being eaten prey is shown that is not eaten yet. */
const CLEARANCE = 2;
/** Prey is moved aside at once, nearly, and goes back slowly: it never jumps. */
const ASIDE_MS = 10;
const BACK_MS = 60;

/** Where the prey will be at the tick of the own cells, and where it is shown until then. */
const there: Pose = { x: 0, y: 0, radius: 0 };
const place = { x: 0, y: 0 };

/** Moves prey that gets away, and returns the cells and viruses that are to be shown as eaten from now on. */
export function meetPrey(bodies: Bodies, rules: OwnCellRules, times: Times): Body[] {
  const { ownTick, knownTick } = times;
  const own = [...bodies.values()].filter((body) => isOwnCell(body) && isShown(body));
  const eats = own[0] !== undefined && !isProtected(own[0], ownTick);
  const eaten: Body[] = [];
  for (const body of bodies.values()) {
    if (body.kind === 'massFood' || body.isOwn) continue;
    if (body.goneTick === NEVER && knownTick > body.eatenTick + LATE_TICKS) body.eatenTick = NEVER;
    if (!isShown(body)) continue;
    const isPrey = eats && !isProtected(body, ownTick);
    const eater = isPrey ? own.find((cell) => isNear(cell, body, rules)) : undefined;
    if (eater && willBeEaten(eater, body, rules, ownTick)) eaten.push(body);
    else if (eater && body.kind === 'cell') {
      moveAside(eater, body, rules);
      ease(body, place.x - body.x, place.y - body.y, times);
    } else ease(body, 0, 0, times);
  }
  return eaten;
}

function isNear(cell: Body, prey: Body, { size }: OwnCellRules): boolean {
  if (Math.hypot(cell.x - prey.x, cell.y - prey.y) > cell.radius) return false;
  return isLargeEnoughToEat({ radius: cell.radius / SURELY_LARGER }, prey, size);
}

function willBeEaten(cell: Body, prey: Body, { eating }: OwnCellRules, ownTick: number): boolean {
  if (prey.goneTick !== NEVER) return prey.wasEaten;
  aheadOf(prey.motion, ownTick, there);
  const guessed = Math.max(0, ownTick - lastSampleTick(prey.motion));
  const deeper = prey.kind === 'cell' ? CELL_DEEPER.always + CELL_DEEPER.perTick * guessed : 0;
  const deep = cell.radius - prey.radius * eating.preyDepth - SURELY_DEEPER - deeper;
  return Math.hypot(cell.x - there.x, cell.y - there.y) < deep;
}

/** Sets `place` to where prey that is not eaten yet no longer lies inside: on its way, or at the edge. */
function moveAside(cell: Body, prey: Body, { eating }: OwnCellRules): void {
  const deep = cell.radius - prey.radius * eating.preyDepth + CLEARANCE;
  place.x = prey.x - cell.x;
  place.y = prey.y - cell.y;
  const inside = deep * deep - place.x * place.x - place.y * place.y;
  if (inside > 0) {
    const [wayX, wayY] = [there.x - prey.x, there.y - prey.y];
    const length2 = Math.max(1, wayX * wayX + wayY * wayY);
    const half = (place.x * wayX + place.y * wayY) / length2;
    const share = Math.min(1, Math.sqrt(half * half + inside / length2) - half);
    place.x += wayX * share;
    place.y += wayY * share;
    const out = Math.max(1, deep / Math.max(1, Math.hypot(place.x, place.y)));
    place.x *= out;
    place.y *= out;
  }
  place.x += cell.x;
  place.y += cell.y;
}

function ease(body: Body, wishX: number, wishY: number, { elapsedMs }: Times): void {
  const { ahead } = body;
  const isMovedAside = wishX * wishX + wishY * wishY > ahead.x * ahead.x + ahead.y * ahead.y;
  const kept = Math.exp(-elapsedMs / (isMovedAside ? ASIDE_MS : BACK_MS));
  ahead.x = wishX + (ahead.x - wishX) * kept;
  ahead.y = wishY + (ahead.y - wishY) * kept;
  body.x += ahead.x;
  body.y += ahead.y;
}

function isProtected({ player }: Body, tick: number): boolean {
  return player !== undefined && player.invulnerableUntilTick > tick;
}
