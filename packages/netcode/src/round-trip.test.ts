import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { FOOD_CHUNK, takeFood } from '@engulf/sim/food';
import { numberedKey } from '@engulf/sim/keys';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { rulesBeforeTide, standardRules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';
import type { World } from '@engulf/sim/world';
import { describe, expect, test } from 'vitest';
import { decodeUpdate } from './decode/decode-update.ts';
import { captureFrame, createArenaFrame } from './encode/arena-frame.ts';
import { encodeView } from './encode/encode-view.ts';
import { recycleStream, requestFull } from './encode/view-stream.ts';
import { assertSees } from './testing/assert-sees.ts';
import { cardOf, createLivelyArena, playOn } from './testing/lively-arena.ts';
import { createWatcher, type Watcher, watch } from './testing/watcher.ts';
import { aimAtPlayer, aimAtWorld, NOBODY } from './view.ts';

const PEOPLE = 8;
const BOTS = 10;
const SCREENS = [
  { widthPx: 1920, heightPx: 1080 },
  { widthPx: 1280, heightPx: 1024 },
  { widthPx: 3440, heightPx: 1440 },
];

test.each([1, 3])(
  'food that is eaten out of sight is noticed when it is seen again (after %i ticks)',
  (gap) => {
    const rules = { ...standardRules, ...rulesBeforeTide };
    const world = createWorld({ key: numberedKey(1), rules });
    const frame = createArenaFrame(world, cardOf(world));
    const watcher = createWatcher(frame);
    const { viewer, decoder } = watcher;
    Object.assign(viewer, { centreY: 2_000, halfWidth: 300, halfHeight: 300 });
    const look = (leftEdge: number, meanwhile = () => {}) => {
      viewer.centreX = leftEdge + viewer.halfWidth;
      for (let tick = 0; tick < gap; tick++) {
        step(world);
        if (tick === 0) meanwhile();
        captureFrame(frame);
      }
      expect(watch(frame, watcher)).toBe('applied');
    };
    const edge = 7 * FOOD_CHUNK;
    const behindEdge = () => [...decoder.view.food.values()].filter(({ x }) => x < edge);
    const eatBehindEdge = () => {
      for (const { id } of behindEdge()) if (world.food.mass[id]! > 0) takeFood(world.food, id);
    };
    look(edge - 50);
    const known = behindEdge();
    expect(known.length).toBeGreaterThan(3);
    // The chunks behind the edge are kept for a while, though nothing of them is in sight.
    look(edge + 50);
    expect(behindEdge()).toEqual(known);
    look(edge + 50, eatBehindEdge);
    look(edge + 60);
    expect(behindEdge()).toEqual(known);
    look(edge - 50);
    for (const { id } of behindEdge()) expect(world.food.mass[id]).toBeGreaterThan(0);
    expect(behindEdge()).not.toEqual(known);
  },
);

test.each([1, 2, 3])('over lively play every viewer knows exactly what is in its view (seed %i)', (seed) => {
  const arena = createLivelyArena(seed, PEOPLE, BOTS);
  const { world, people, random } = arena;
  const frame = createArenaFrame(world, cardOf(world));
  const watchers = people.map(() => createWatcher(frame));
  const spectator = createWatcher(frame);
  aimAtWorld(spectator.viewer, world.rules.worldSize);
  const counts = { gone: 0, outOfView: 0, cells: 0, massFood: 0, viruses: 0, deaths: 0 };
  const phases = new Set<string>();

  for (let tick = 0; tick < 700; tick++) {
    playOn(arena);
    captureFrame(frame);
    watchers.forEach((watcher, i) => {
      // The second half of the people has a poor connection and misses ticks.
      if (i >= PEOPLE / 2 && random() < 0.5) return;
      const before = watcher.decoder.view.own;
      aim(watcher, world, people[i]!, i);
      // Mostly the same or the next one, sometimes any.
      if (random() < 0.6) watcher.viewer.acknowledged = (watcher.viewer.acknowledged + 1) % 256;
      if (random() < 0.1) watcher.viewer.acknowledged = Math.floor(random() * 256);
      if (random() < 0.005) requestFull(watcher.stream);
      expect(watch(frame, watcher)).toBe('applied');
      assertSees(world, watcher);
      count(counts, watcher);
      if (before && before.id !== watcher.decoder.view.own?.id) counts.deaths++;
    });
    phases.add(watchers[0]!.decoder.view.portalPhase);
    if (tick % 5 !== 0 && tick % 5 !== 2) continue;
    expect(watch(frame, spectator)).toBe('applied');
    assertSees(world, spectator);
  }
  // The test is only worth something if the play was lively.
  expect(phases.size).toBe(4);
  expect(Math.max(...world.players.generation), 'players of one slot').toBeGreaterThan(3);
  for (const [what, times] of Object.entries(counts)) expect(times, what).toBeGreaterThan(10);
});

describe('a receiver that is out of sync', () => {
  function createScene() {
    const arena = createLivelyArena(9, 4, 6);
    const frame = createArenaFrame(arena.world, cardOf(arena.world));
    const watcher = createWatcher(frame);
    const advance = () => {
      playOn(arena);
      captureFrame(frame);
      aim(watcher, arena.world, arena.people[0]!, 0);
    };
    for (let tick = 0; tick < 20; tick++) {
      advance();
      watch(frame, watcher);
    }
    return { ...arena, frame, watcher, advance };
  }

  test('needs a full snapshot until it gets one', () => {
    const { world, frame, watcher, advance } = createScene();
    advance();
    encodeView(frame, watcher.stream, watcher.viewer);
    for (let tick = 0; tick < 5; tick++) {
      advance();
      expect(watch(frame, watcher)).toBe('needsFull');
    }
    requestFull(watcher.stream);
    advance();
    expect(watch(frame, watcher)).toBe('applied');
    expect(watcher.decoder.update.type).toBe('full');
    assertSees(world, watcher);
    advance();
    expect(watch(frame, watcher)).toBe('applied');
    expect(watcher.decoder.update.type).toBe('delta');
    assertSees(world, watcher);
  });

  test('refuses the same message twice', () => {
    const { frame, watcher, advance } = createScene();
    advance();
    const message = encodeView(frame, watcher.stream, watcher.viewer).slice();
    expect(decodeUpdate(watcher.decoder, message)).toBe('applied');
    expect(decodeUpdate(watcher.decoder, message)).toBe('needsFull');
  });

  test('is sent a full snapshot after a long silence and when a tick is sent twice', () => {
    const { world, frame, watcher, advance } = createScene();
    expect(watch(frame, watcher)).toBe('applied');
    expect(watcher.decoder.update.type).toBe('full');
    for (let tick = 0; tick < 256; tick++) advance();
    expect(watch(frame, watcher)).toBe('applied');
    expect(watcher.decoder.update.type).toBe('full');
    assertSees(world, watcher);
  });

  test('sees the right food after the server skipped a capture', () => {
    const { world, frame, watcher, advance } = createScene();
    for (let tick = 0; tick < 50; tick++) step(world);
    advance();
    expect(watch(frame, watcher)).toBe('applied');
    expect(watcher.decoder.update.type).toBe('delta');
    assertSees(world, watcher);
  });
});

test('a player who joins after a capture appears with the next one', () => {
  const arena = createLivelyArena(4, 1, 0);
  const { world, people } = arena;
  const frame = createArenaFrame(world, cardOf(world));
  const watcher = createWatcher(frame);
  const late = joinNow(world);
  aimAtPlayer(watcher.viewer, world, findPlayer(world.players, late), SCREENS[0]!, 2000);
  expect(watch(frame, watcher)).toBe('applied');
  expect(watcher.decoder.view.own).toBeUndefined();
  people.push(late);
  playOn(arena);
  captureFrame(frame);
  expect(watch(frame, watcher)).toBe('applied');
  expect(watcher.decoder.view.own?.id).toBe(late);
});

function joinNow(world: World): PlayerId {
  const applied = applyCommand(world, { type: 'join', stake: 1n });
  if (!applied.ok) throw new Error(applied.refusal);
  return applied.player!;
}

/** Points a watcher at its player, or leaves it where the player died. */
function aim({ viewer }: Watcher, world: World, player: PlayerId, index: number): void {
  const slot = findPlayer(world.players, player);
  if (slot < 0) viewer.player = NOBODY;
  else aimAtPlayer(viewer, world, slot, SCREENS[index % SCREENS.length]!, index === 3 ? 300 : 2000);
}

type Counts = { gone: number; outOfView: number; cells: number; massFood: number; viruses: number };

function count(counts: Counts, { decoder }: Watcher): void {
  const { cells, massFood, viruses } = decoder.update;
  for (const body of [...cells.remove, ...massFood.remove, ...viruses.remove]) {
    counts[body.isGone ? 'gone' : 'outOfView']++;
  }
  counts.cells += cells.add.length;
  counts.massFood += massFood.add.length;
  counts.viruses += viruses.add.length;
}

test('a stream grows with its view, and serves another receiver after it', () => {
  const arena = createLivelyArena(11, 8, 24);
  const frame = createArenaFrame(arena.world, cardOf(arena.world));
  const first = createWatcher(frame);
  const capacity = first.stream.bodies.length;
  const see = (watcher: Watcher) => {
    playOn(arena);
    captureFrame(frame);
    aimAtWorld(watcher.viewer, arena.world.rules.worldSize);
    expect(watch(frame, watcher)).toBe('applied');
    assertSees(arena.world, watcher);
  };
  for (let tick = 0; tick < 200; tick++) see(first);
  expect(first.stream.bodies.length).toBeGreaterThan(capacity);
  const second: Watcher = { ...createWatcher(frame), stream: recycleStream(first.stream) };
  for (let tick = 0; tick < 20; tick++) see(second);
  expect(second.decoder.update.type).toBe('delta');
});

test('however many bodies are at rest, they cost one bit together', () => {
  const world = createWorld({ key: numberedKey(1), rules: { ...standardRules, ...rulesBeforeTide } });
  const frame = createArenaFrame(world, cardOf(world));
  const watcher = createWatcher(frame);
  aimAtWorld(watcher.viewer, world.rules.worldSize);
  const next = () => {
    step(world);
    captureFrame(frame);
    const message = encodeView(frame, watcher.stream, watcher.viewer).slice();
    expect(decodeUpdate(watcher.decoder, message)).toBe('applied');
    return message;
  };
  next();
  expect(watcher.decoder.view.bodies).toHaveLength(world.bodies.virusCount);
  // The head takes six bits and the empty parts one each.
  expect(next()).toHaveLength(2);
});
