import { BODY, bodyId } from '@engulf/sim/bodies';
import { primaryCell } from '@engulf/sim/cells';
import { FOOD_CHUNK, FOOD_SLOTS } from '@engulf/sim/food';
import { findPlayer, type PlayerId, playerId } from '@engulf/sim/players';
import { PORTAL_PHASES as SIM_PHASES } from '@engulf/sim/portals';
import type { World } from '@engulf/sim/world';
import { describe, expect, test } from 'vitest';
import { createLivelyArena, playOn } from '../../testing/lively-arena.ts';
import { createWatcher, type Watcher, watch } from '../../testing/watcher.ts';
import { captureFrame, createArenaFrame } from './arena-frame.ts';
import { type ArenaSource, BODY_KIND, CHUNK_PLACES, CHUNK_SIZE, PORTAL_PHASES } from './arena-source.ts';
import { aimAtPlayer, aimAtWorld, NOBODY } from './view.ts';
import { requestFull } from './view-stream.ts';

const PEOPLE = 8;
const BOTS = 10;
const SCREENS = [
  { widthPx: 1920, heightPx: 1080 },
  { widthPx: 1280, heightPx: 1024 },
  { widthPx: 3440, heightPx: 1440 },
];

const cardOf = (world: World) => (slot: number) => ({
  name: `näme ${playerId(world.players, slot)}`,
  colour: slot % 12,
  reward: `${world.players.bounty[slot]}(x1.00)`,
});

test('the numbers of the simulation are those of the codec', () => {
  const { none, ...kinds } = BODY;
  expect(none).toBe(0);
  expect(Object.values(kinds)).toEqual(Object.values(BODY_KIND));
  expect([FOOD_CHUNK, FOOD_SLOTS]).toEqual([CHUNK_SIZE, CHUNK_PLACES]);
  expect(SIM_PHASES).toEqual(PORTAL_PHASES);
});

describe.each([1, 2, 3])('over lively play, seed %i', (seed) => {
  test('every viewer knows what it sees, and nothing else', () => {
    const arena = createLivelyArena(seed, PEOPLE, BOTS);
    const { world, people, random } = arena;
    const source: ArenaSource = world;
    const frame = createArenaFrame(source, cardOf(world));
    const watchers = people.map(() => createWatcher(frame));
    const spectator = createWatcher(frame);
    aimAtWorld(spectator.viewer, world.rules.worldSize);
    const seen = { gone: 0, outOfView: 0, cells: 0, massFood: 0, viruses: 0, phases: new Set<string>() };

    for (let tick = 0; tick < 700; tick++) {
      playOn(arena);
      captureFrame(frame);
      watchers.forEach((watcher, i) => {
        // The second half of the people has a poor connection and misses ticks.
        if (i >= PEOPLE / 2 && random() < 0.5) return;
        aim(watcher, world, people[i]!, i);
        if (random() < 0.005) requestFull(watcher.stream);
        expect(watch(frame, watcher)).toBe('applied');
        compare(world, watcher);
        const { cells, massFood, viruses } = watcher.decoder.update;
        for (const body of [...cells.remove, ...massFood.remove, ...viruses.remove]) {
          seen[body.isGone ? 'gone' : 'outOfView']++;
        }
        seen.cells += cells.add.length;
        seen.massFood += massFood.add.length;
        seen.viruses += viruses.add.length;
        seen.phases.add(watcher.decoder.view.portalPhase);
      });
      if (tick % 5 !== 0 && tick % 5 !== 2) continue;
      expect(watch(frame, spectator)).toBe('applied');
      compare(world, spectator);
    }
    // The play was as lively as it was meant to be.
    expect(seen.phases.size).toBe(4);
    expect(Math.min(seen.gone, seen.outOfView, seen.cells, seen.massFood, seen.viruses)).toBeGreaterThan(50);
  });
});

/** Points a watcher at its player, or leaves it where the player ended. */
function aim({ viewer }: Watcher, world: World, player: PlayerId, index: number): void {
  const slot = findPlayer(world.players, player);
  if (slot < 0) viewer.player = NOBODY;
  else aimAtPlayer(viewer, world, slot, SCREENS[index % SCREENS.length]!, index === 3 ? 300 : 2000);
}

function compare(world: World, watcher: Watcher): void {
  compareBodies(world, watcher);
  compareFood(world, watcher);
  comparePortals(world, watcher);
  const { view } = watcher.decoder;
  const { followed } = watcher;
  expect(followed.cells.size + followed.massFood.size + followed.viruses.size).toBe(view.bodies.length);
  for (const body of view.bodies) {
    const group = body.kind === 'cell' ? 'cells' : body.kind === 'virus' ? 'viruses' : 'massFood';
    if (!followed[group].has(body)) throw new Error(`a ${body.kind} was never added`);
  }
  expect([...followed.food]).toHaveLength(view.food.size);
  expect(followed.portals).toEqual(new Set(view.portals));
  const inSight = [...view.players.values()].filter((player) => player.cells.length > 0);
  expect(followed.players).toEqual(new Set(inSight));
}

function compareBodies(world: World, { viewer, stream, decoder }: Watcher): void {
  const { bodies, players } = world;
  const { view } = decoder;
  const known = new Set(stream.bodies.subarray(0, view.bodies.length));
  expect(known.size).toBe(view.bodies.length);
  for (let body = 0; body < bodies.top; body++) {
    if (bodies.kind[body] === BODY.none) continue;
    const isOwn = bodies.kind[body] === BODY.cell && bodies.owner[body] === viewer.player;
    const outside = isOwn ? -Infinity : distanceOutside(world, viewer, body);
    // What just touches the edge may count either way: the encoder looks at rounded numbers.
    if (outside < -0.25 && !known.has(body)) throw new Error(`body ${bodyId(bodies, body)} is in view`);
    if (outside > 0.25 && known.has(body)) throw new Error(`body ${bodyId(bodies, body)} is out of view`);
  }
  view.bodies.forEach((decoded, track) => {
    const body = stream.bodies[track]!;
    const error = Math.max(
      Math.abs(decoded.x - bodies.x[body]!),
      Math.abs(decoded.y - bodies.y[body]!),
      Math.abs(decoded.radius - bodies.radius[body]!) * 2,
    );
    if (!(error <= 0.25 + 1 / 32)) throw new Error(`body ${bodyId(bodies, body)} is off by ${error}`);
    if (decoded.kind !== ['', 'cell', 'massFood', 'virus'][bodies.kind[body]!]) throw new Error('wrong kind');
    if (decoded.kind === 'cell') compareOwner(world, decoder, body, track);
  });
  const hasOwn = viewer.player !== NOBODY;
  expect(view.own?.id).toBe(hasOwn ? playerId(players, viewer.player) : undefined);
  const primary = view.bodies.findIndex((body) => body.isPrimary);
  expect(view.primary).toBe(view.bodies[primary]);
  if (hasOwn) expect(stream.bodies[primary]).toBe(primaryCell(world, viewer.player));
}

function distanceOutside(world: World, viewer: Watcher['viewer'], body: number): number {
  const { x, y, radius } = world.bodies;
  const beyondX = Math.abs(x[body]! - viewer.centreX) - viewer.halfWidth;
  const beyondY = Math.abs(y[body]! - viewer.centreY) - viewer.halfHeight;
  return Math.max(beyondX, beyondY) - radius[body]!;
}

function compareOwner(world: World, { view }: Watcher['decoder'], body: number, track: number): void {
  const { players, bodies } = world;
  const owner = bodies.owner[body]!;
  const { player } = view.bodies[track]!;
  const card = cardOf(world)(owner);
  expect(player).toMatchObject({ ...card, id: playerId(players, owner), isBot: players.isBot[owner] === 1 });
  expect(player!.invulnerableUntilTick).toBe(players.invulnerableUntilTick[owner]);
  expect(player!.cells).toContain(view.bodies[track]);
}

function compareFood({ food }: World, { viewer, decoder }: Watcher): void {
  const { view } = decoder;
  for (const { id, x, y, mass, colour } of view.food.values()) {
    const isTrue = food.mass[id] === mass && food.colour[id] === colour;
    if (!isTrue || x % FOOD_CHUNK !== food.offsetX[id] || y % FOOD_CHUNK !== food.offsetY[id]) {
      throw new Error(`food ${id} is not what the client believes`);
    }
  }
  for (let place = 0; place < food.mass.length; place++) {
    if (food.mass[place] === 0) continue;
    const chunk = Math.floor(place / FOOD_SLOTS);
    const x = (chunk % food.chunksPerSide) * FOOD_CHUNK + food.offsetX[place]!;
    const y = Math.floor(chunk / food.chunksPerSide) * FOOD_CHUNK + food.offsetY[place]!;
    const isNear =
      Math.abs(x - viewer.centreX) <= viewer.halfWidth && Math.abs(y - viewer.centreY) <= viewer.halfHeight;
    if (isNear && !view.food.has(place)) throw new Error(`food ${place} is in view but not known`);
  }
}

function comparePortals({ portals }: World, { decoder: { view } }: Watcher): void {
  expect(view.portalPhase).toBe(SIM_PHASES[portals.phase]);
  expect(view.portalPhaseEndsAtTick).toBe(portals.phaseEndsAtTick);
  expect(view.portals).toHaveLength(portals.count);
  view.portals.forEach((portal, i) => {
    expect(Math.abs(portal.x - portals.x[i]!)).toBeLessThanOrEqual(0.125);
    expect(Math.abs(portal.y - portals.y[i]!)).toBeLessThanOrEqual(0.125);
  });
}
