import { ok, strictEqual as same } from 'node:assert';
import { BODY } from '@engulf/sim/bodies';
import { primaryCell } from '@engulf/sim/cells';
import { FOOD_CHUNK, FOOD_SLOTS } from '@engulf/sim/food';
import { playerId } from '@engulf/sim/players';
import { PORTAL_PHASES } from '@engulf/sim/portals';
import { bodyId } from '@engulf/sim/testing/invariants';
import type { World } from '@engulf/sim/world';
import { NOBODY, type Viewer } from '../view.ts';
import { cardOf } from './lively-arena.ts';
import type { Watcher } from './watcher.ts';

/** A quarter unit of tolerance and the rounding of the finest step. */
const MAX_POSITION_ERROR = 0.25 + 1 / 64;
const MAX_RADIUS_ERROR = 0.125;
const KINDS = [undefined, 'cell', 'massFood', 'virus'];

/** Throws unless the client knows the true state of everything in its view, and of no body outside it. */
export function assertSees(world: World, watcher: Watcher): void {
  same(watcher.decoder.view.tick, world.clock.tick);
  assertVisibleSet(world, watcher);
  assertBodies(world, watcher);
  assertOwn(world, watcher);
  assertFood(world, watcher);
  assertPortals(world, watcher);
  assertTide(world, watcher);
  assertFollowed(watcher);
  assertRemovals(world, watcher);
}

function assertVisibleSet({ bodies }: World, { viewer, stream, decoder }: Watcher): void {
  const known = new Set(stream.bodies.subarray(0, decoder.view.bodies.length));
  same(known.size, decoder.view.bodies.length);
  for (let body = 0; body < bodies.top; body++) {
    if (bodies.kind[body] === BODY.none) continue;
    const isOwn = bodies.kind[body] === BODY.cell && bodies.owner[body] === viewer.player;
    const beyondX = Math.abs(bodies.x[body]! - viewer.centreX) - viewer.halfWidth;
    const beyondY = Math.abs(bodies.y[body]! - viewer.centreY) - viewer.halfHeight;
    const outside = isOwn ? -Infinity : Math.max(beyondX, beyondY) - bodies.radius[body]!;
    // A body right on the edge may count either way: the encoder works on rounded numbers.
    if (outside < -0.25) ok(known.has(body), 'a body in view is unknown');
    if (outside > 0.25) ok(!known.has(body), 'a body out of view is known');
  }
}

function assertBodies(world: World, { stream, decoder }: Watcher): void {
  const { bodies, players } = world;
  decoder.view.bodies.forEach((decoded, track) => {
    const body = stream.bodies[track]!;
    same(decoded.kind, KINDS[bodies.kind[body]!]);
    ok(Math.abs(decoded.x - bodies.x[body]!) <= MAX_POSITION_ERROR, 'x is off');
    ok(Math.abs(decoded.y - bodies.y[body]!) <= MAX_POSITION_ERROR, 'y is off');
    ok(Math.abs(decoded.radius - bodies.radius[body]!) <= MAX_RADIUS_ERROR, 'the radius is off');
    if (decoded.kind !== 'cell') return;
    const owner = bodies.owner[body]!;
    const player = decoded.player!;
    const card = cardOf(world)(owner);
    same(player.id, playerId(players, owner));
    same(player.name, card.name);
    same(player.colour, card.colour);
    same(player.isAdmin, card.isAdmin);
    same(player.picture, card.picture);
    same(player.reward, card.reward);
    same(player.isBot, players.isBot[owner] === 1);
    same(player.invulnerableUntilTick, players.invulnerableUntilTick[owner]);
    ok(player.cells.includes(decoded), 'a cell is missing from its player');
  });
}

function assertOwn(world: World, { viewer, stream, decoder: { view } }: Watcher): void {
  const primary = view.bodies.findIndex((body) => body.isPrimary);
  same(view.primary, view.bodies[primary]);
  if (viewer.player === NOBODY) {
    same(view.own, undefined);
    same(primary, -1);
  } else {
    same(view.acknowledged, viewer.acknowledged);
    same(view.own?.id, playerId(world.players, viewer.player));
    same(view.own?.cells.length, world.players.cellCount[viewer.player]);
    same(stream.bodies[primary], primaryCell(world, viewer.player));
  }
}

function assertFood({ food }: World, { viewer, decoder: { view } }: Watcher): void {
  for (const { id, x, y, mass, colour } of view.food.values()) {
    // Of a chunk that is out of sight the client keeps what it knew.
    if (!isInSight(viewer, x, y)) continue;
    same(mass, food.mass[id]);
    same(colour, food.colour[id]);
    same(x % FOOD_CHUNK, food.offsetX[id]);
    same(y % FOOD_CHUNK, food.offsetY[id]);
  }
  for (let place = 0; place < food.mass.length; place++) {
    if (food.mass[place] === 0) continue;
    const chunk = Math.floor(place / FOOD_SLOTS);
    const x = (chunk % food.chunksPerSide) * FOOD_CHUNK + food.offsetX[place]!;
    const y = Math.floor(chunk / food.chunksPerSide) * FOOD_CHUNK + food.offsetY[place]!;
    const isInView =
      Math.abs(x - viewer.centreX) <= viewer.halfWidth && Math.abs(y - viewer.centreY) <= viewer.halfHeight;
    if (!isInView) continue;
    const known = view.food.get(place);
    ok(known?.x === x && known.y === y, 'food in view is unknown or elsewhere');
  }
}

/** Whether the view shows a part of the chunk at that place. */
function isInSight({ centreX, centreY, halfWidth, halfHeight }: Viewer, x: number, y: number): boolean {
  const touches = (at: number, from: number, to: number) => {
    const start = Math.floor(at / FOOD_CHUNK) * FOOD_CHUNK;
    return start <= to && start + FOOD_CHUNK > from;
  };
  return (
    touches(x, centreX - halfWidth, centreX + halfWidth) &&
    touches(y, centreY - halfHeight, centreY + halfHeight)
  );
}

function assertPortals({ portals }: World, { decoder: { view } }: Watcher): void {
  same(view.portalPhase, PORTAL_PHASES[portals.phase]);
  same(view.portalPhaseEndsAtTick, portals.phaseEndsAtTick);
  same(view.portals.length, portals.count);
  view.portals.forEach(({ x, y }, i) => {
    ok(Math.abs(x - portals.x[i]!) <= 0.125 && Math.abs(y - portals.y[i]!) <= 0.125, 'a portal is off');
  });
}

/** To the last bit: the client predicts with it. */
function assertTide({ tide, clock }: World, { decoder: { view } }: Watcher): void {
  same(view.tide.size, tide.size);
  same(view.tide.goal, tide.goal);
  same(view.tide.isHeld, tide.isHeld);
  if (tide.goal < tide.size) {
    same(Math.max(view.tide.risesAtTick, clock.tick), Math.max(tide.risesAtTick, clock.tick));
  }
}

/** Following only the lists of each update leads to the same view. */
function assertFollowed({ followed, decoder: { view } }: Watcher): void {
  same(followed.cells.size + followed.massFood.size + followed.viruses.size, view.bodies.length);
  for (const body of view.bodies) {
    const group = body.kind === 'cell' ? 'cells' : body.kind === 'virus' ? 'viruses' : 'massFood';
    ok(followed[group].has(body), 'a body was never added');
  }
  same(followed.food.size, view.food.size);
  for (const food of view.food.values()) ok(followed.food.has(food), 'food was never added');
  same(followed.portals.size, view.portals.length);
  for (const portal of view.portals) ok(followed.portals.has(portal), 'a portal was never added');
  const inSight = [...view.players.values()].filter((player) => player.cells.length > 0);
  same(followed.players.size, inSight.length);
  for (const player of inSight) ok(followed.players.has(player), 'a player was never added');
}

/** A removed body is marked gone if and only if it no longer exists. */
function assertRemovals({ bodies }: World, { identities, decoder: { update } }: Watcher): void {
  for (const body of [...update.cells.remove, ...update.massFood.remove, ...update.viruses.remove]) {
    const id = identities.get(body)!;
    const slot = id % 65_536;
    const isAlive = bodies.kind[slot] !== BODY.none && bodyId(bodies, slot) === id;
    same(body.isGone, !isAlive);
  }
}
