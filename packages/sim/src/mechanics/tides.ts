import { BODY, removeBody } from '../bodies.ts';
import { floodFood, foodWanted, placeFoodAtShore } from '../food.ts';
import { hasTide, moveTide, shoreOf, tideSizeFor } from '../tide.ts';
import type { World } from '../world.ts';

/** How far everybody has to be from where the water stopped before it moves on. */
const CLEAR_AGAIN = 80;
/** Around a portal, so that one can get to it from all sides. */
const PORTAL_ROOM = 150;

/** Moves the water. What it reaches sinks; what it leaves is as rich in food as the rest. */
export function advanceTide(world: World): void {
  const { tide, rules, food, clock, streams } = world;
  const before = tide.size;
  moveTide(tide, rules, clock.tick);
  if (tide.size < before) {
    floodFood(food, rules, tide.size);
    sinkBodies(world);
  } else if (tide.size > before) {
    const wanted = foodWanted(rules, tide);
    while (food.count < wanted) placeFoodAtShore(food, rules, streams.food, before, tide.size);
  }
}

/**
 * Where the water goes next, from who lives now. It never moves anybody: before every step that it comes in, everybody
 * is on this side of it with the whole cell, and so are the portals.
 */
export function decideTide(world: World): void {
  const { tide, rules, stepRules, players, clock } = world;
  if (!hasTide(rules)) return;
  const wanted = tideSizeFor(rules, players.livingCount);
  if (wanted !== tide.goal) {
    const wasRising = tide.goal < tide.size;
    tide.goal = wanted;
    if (wanted < tide.size && !wasRising) tide.risesAtTick = clock.tick + 1 + stepRules.tideNoticeTicks;
  }
  if (tide.goal >= tide.size) {
    tide.isHeld = false;
    return;
  }
  const next = tide.size - (2 * rules.tide.risingSpeed) / rules.stepsPerSecond;
  tide.isHeld = reachesAnybody(world, next - (tide.isHeld ? 2 * CLEAR_AGAIN : 0));
}

function reachesAnybody(world: World, size: number): boolean {
  const { bodies, portals, rules } = world;
  const { kind, x, y, radius, top } = bodies;
  const low = shoreOf(rules, size);
  const high = rules.worldSize - low;
  for (let body = 0; body < top; body++) {
    if (kind[body] !== BODY.cell) continue;
    const room = radius[body]!;
    const bx = x[body]!;
    const by = y[body]!;
    if (bx - room < low || bx + room > high || by - room < low || by + room > high) return true;
  }
  const room = rules.portals.radius + PORTAL_ROOM;
  for (let portal = 0; portal < portals.count; portal++) {
    const px = portals.x[portal]!;
    const py = portals.y[portal]!;
    if (px - room < low || px + room > high || py - room < low || py + room > high) return true;
  }
  return false;
}

/** Viruses and ejected mass. */
function sinkBodies({ bodies, rules, tide }: World): void {
  const { kind, x, y, top } = bodies;
  const low = shoreOf(rules, tide.size);
  const high = rules.worldSize - low;
  for (let body = 0; body < top; body++) {
    if (kind[body] === BODY.none || kind[body] === BODY.cell) continue;
    const isDry = x[body]! >= low && x[body]! <= high && y[body]! >= low && y[body]! <= high;
    if (!isDry) removeBody(bodies, body);
  }
}
