import { describe, expect, test } from 'vitest';
import { BODY } from '../bodies.ts';
import { applyCommand } from '../commands.ts';
import { createWorld } from '../create-world.ts';
import { FOOD_CHUNK, FOOD_SLOTS } from '../food.ts';
import { numberedKey } from '../keys.ts';
import { findPlayer, type PlayerId } from '../players.ts';
import { type Rules, standardRules } from '../rules.ts';
import { step } from '../step.ts';
import { cellsOf, order, run } from '../testing/arena-builder.ts';
import { findBrokenInvariant } from '../testing/invariants.ts';
import { shoreOf, tideSizeFor } from '../tide.ts';
import type { World } from '../world.ts';

/** Nothing moves but the water, and portals open soon. */
const stillRules: Rules = {
  ...standardRules,
  viruses: { ...standardRules.viruses, respawnPerSecond: 0.01 },
  cells: { ...standardRules.cells, decayPerSecond: 0 },
  portals: { ...standardRules.portals, idleSeconds: 100_000 },
};

const world = (rules: Partial<Rules> = {}, seed = 1) =>
  createWorld({ key: numberedKey(seed), rules: { ...stillRules, ...rules } });

function join(world: World): PlayerId {
  const applied = applyCommand(world, { type: 'join', stake: 1_000n });
  if (!applied.ok) throw new Error(applied.refusal);
  return applied.player!;
}

function place(world: World, player: PlayerId, x: number, y: number): number {
  const [cell] = cellsOf(world, player) as [number];
  world.bodies.x[cell] = x;
  world.bodies.y[cell] = y;
  return cell;
}

/** Removes everybody but the first few. */
function thin(world: World, players: readonly PlayerId[], left: number): void {
  for (const player of players.slice(left)) order(world, { type: 'disconnect', player });
}

const seconds = (count: number) => count * standardRules.stepsPerSecond;

describe('the size of the dry part', () => {
  test('follows the number of the living, from two to thirty', () => {
    const { leastSize } = standardRules.tide;
    expect([0, 1, 2].map((living) => tideSizeFor(standardRules, living))).toEqual(Array(3).fill(leastSize));
    expect([30, 31, 250].map((living) => tideSizeFor(standardRules, living))).toEqual(Array(3).fill(7000));
    for (let living = 2; living < 30; living++) {
      expect(tideSizeFor(standardRules, living + 1)).toBeGreaterThan(tideSizeFor(standardRules, living));
    }
  });

  test('is the whole world where that is no larger, and where there is no tide', () => {
    expect(tideSizeFor({ ...standardRules, worldSize: 1500 }, 2)).toBe(1500);
    expect(tideSizeFor({ ...standardRules, tide: { ...standardRules.tide, leastSize: 0 } }, 2)).toBe(7000);
  });

  test('counts bots as well', () => {
    const arena = world();
    order(arena, { type: 'setPopulation', count: 8 });
    run(arena, seconds(15));
    expect(arena.players.botCount).toBe(8);
    expect(arena.tide.goal).toBe(tideSizeFor(standardRules, 8));
  });
});

describe('the water', () => {
  test('goes out at once and comes in after a notice, never faster than the largest cell', () => {
    const arena = world();
    const players = Array.from({ length: 12 }, () => join(arena));
    run(arena, 2);
    expect(arena.tide.size).toBeGreaterThan(standardRules.tide.leastSize);
    run(arena, seconds(60));
    expect(arena.tide.size).toBe(tideSizeFor(standardRules, 12));
    for (const player of players.slice(0, 2)) place(arena, player, 3500, 3500);
    thin(arena, players, 2);
    run(arena, seconds(standardRules.departure.graceSeconds) + 1);
    const { size, risesAtTick } = arena.tide;
    expect(arena.tide.goal).toBe(standardRules.tide.leastSize);
    expect(risesAtTick - arena.clock.tick).toBeGreaterThan(seconds(standardRules.tide.noticeSeconds) - 2);
    run(arena, seconds(standardRules.tide.noticeSeconds) - 2);
    expect(arena.tide.size).toBe(size);
    run(arena, seconds(10));
    expect(arena.tide.size).toBeLessThan(size);
    const { speedByRadius } = arena.stepRules;
    expect(standardRules.tide.risingSpeed).toBeLessThan(Math.min(...speedByRadius));
  });

  test('waits for somebody who stands in its way, moves nobody, and goes on when they have left', () => {
    const arena = world();
    const players = Array.from({ length: 12 }, () => join(arena));
    run(arena, seconds(60));
    const far = shoreOf(arena.rules, arena.tide.size) + 400;
    const [idle, walker] = players as [PlayerId, PlayerId];
    place(arena, walker, 3500, 3500);
    const cell = place(arena, idle, far, 3500);
    run(arena, 1);
    const stood = arena.bodies.x[cell]!;
    thin(arena, players, 2);
    run(arena, seconds(90));
    expect(arena.tide).toMatchObject({ goal: standardRules.tide.leastSize, isHeld: true });
    expect(arena.tide.size).toBeGreaterThan(arena.tide.goal);
    expect(arena.bodies.x[cell]).toBe(stood);
    expect(shoreOf(arena.rules, arena.tide.size)).toBeLessThan(stood - arena.bodies.radius[cell]!);
    place(arena, idle, 3500, 3600);
    run(arena, seconds(90));
    expect(arena.tide.size).toBe(arena.tide.goal);
  });

  test('never moves a cell inland, whatever the crowd does', () => {
    for (let seed = 1; seed <= 4; seed++) {
      const arena = createWorld({ key: numberedKey(seed), rules: standardRules });
      order(arena, { type: 'setPopulation', count: 24 });
      for (let tick = 0; tick < seconds(100); tick++) {
        if (tick === seconds(45)) order(arena, { type: 'setPopulation', count: 3 });
        const { bodies, rules } = arena;
        const reach = new Map<number, number>();
        for (let body = 0; body < bodies.top; body++) {
          if (bodies.kind[body] !== BODY.cell) continue;
          const away = Math.max(Math.abs(bodies.x[body]! - 3500), Math.abs(bodies.y[body]! - 3500));
          reach.set(body, away + bodies.radius[body]! * rules.borderInset);
        }
        const before = arena.tide.size;
        step(arena);
        if (arena.tide.size >= before) continue;
        for (const outermost of reach.values()) {
          expect(outermost).toBeLessThanOrEqual(arena.tide.size / 2 + 1e-9);
        }
      }
      expect(findBrokenInvariant(arena)).toBeUndefined();
      expect(arena.tide.goal).toBe(tideSizeFor(standardRules, arena.players.livingCount));
    }
  });

  test('does not take a portal that is open', () => {
    const arena = world({ portals: { ...standardRules.portals, idleSeconds: 60, activeSeconds: 60 } });
    const players = Array.from({ length: 30 }, () => join(arena));
    run(arena, seconds(62));
    expect(arena.portals.count).toBeGreaterThan(1);
    for (const player of players.slice(0, 2)) place(arena, player, 3500, 3500);
    thin(arena, players, 2);
    while (arena.portals.count > 0) {
      run(arena, 25);
      const near = shoreOf(arena.rules, arena.tide.size);
      for (let portal = 0; portal < arena.portals.count; portal++) {
        for (const at of [arena.portals.x[portal]!, arena.portals.y[portal]!]) {
          expect(Math.min(at, 7000 - at)).toBeGreaterThan(near + arena.rules.portals.radius);
        }
      }
    }
  });
});

describe('the dry part', () => {
  test('has the same density of food and viruses at every size, also after the water has moved', () => {
    const perArea = (arena: World) => arena.food.count / arena.tide.size ** 2;
    const arena = world({ viruses: { ...standardRules.viruses, respawnPerSecond: 5 } });
    const density = standardRules.food.count / 7000 ** 2;
    expect(perArea(arena)).toBeCloseTo(density, 6);
    const players = Array.from({ length: 20 }, () => join(arena));
    run(arena, seconds(60));
    expect(perArea(arena)).toBeCloseTo(density, 6);
    const viruses = (arena.tide.size / 7000) ** 2 * standardRules.viruses.count;
    expect(Math.abs(arena.bodies.virusCount - viruses)).toBeLessThan(2);
    for (const player of players.slice(0, 2)) place(arena, player, 3500, 3500);
    thin(arena, players, 2);
    run(arena, seconds(120));
    expect(arena.tide.size).toBe(standardRules.tide.leastSize);
    expect(Math.abs(perArea(arena) / density - 1)).toBeLessThan(0.08);
    expect(foodOutside(arena)).toBe(0);
    expect(findBrokenInvariant(arena)).toBeUndefined();
  });

  test('has new food where the water has left', () => {
    const arena = world();
    for (let i = 0; i < 20; i++) join(arena);
    const { size } = arena.tide;
    run(arena, seconds(20));
    const share = 1 - size ** 2 / arena.tide.size ** 2;
    const onNewGround = foodOutside(arena, size) / arena.food.count;
    expect(Math.abs(onNewGround - share)).toBeLessThan(0.12);
  });

  test('is where players begin and portals open, and these keep their distance at every size', () => {
    for (const living of [2, 5, 10, 20, 30]) {
      const arena = world({ portals: { ...standardRules.portals, idleSeconds: 0.1 } }, living);
      const size = tideSizeFor(standardRules, living);
      Object.assign(arena.tide, { size, goal: size });
      const near = shoreOf(standardRules, size);
      for (let i = 0; i < living; i++) {
        const slot = findPlayer(arena.players, join(arena));
        for (const at of [arena.players.centreX[slot]!, arena.players.centreY[slot]!]) {
          expect(Math.min(at, 7000 - at)).toBeGreaterThan(near);
        }
      }
      run(arena, seconds(1));
      expect(arena.portals.count).toBeGreaterThan(1);
      const { portals } = arena;
      for (let a = 0; a < portals.count; a++) {
        for (const at of [portals.x[a]!, portals.y[a]!])
          expect(Math.min(at, 7000 - at)).toBeGreaterThan(near);
        for (let b = a + 1; b < portals.count; b++) {
          const dx = portals.x[a]! - portals.x[b]!;
          const dy = portals.y[a]! - portals.y[b]!;
          expect(Math.sqrt(dx * dx + dy * dy)).toBeGreaterThan(size * 0.2);
        }
      }
    }
  });
});

function foodOutside({ food, rules, tide }: World, size = tide.size): number {
  const low = shoreOf(rules, size);
  let outside = 0;
  food.mass.forEach((mass, place) => {
    if (mass === 0) return;
    const chunk = Math.floor(place / FOOD_SLOTS);
    const x = (chunk % food.chunksPerSide) * FOOD_CHUNK + food.offsetX[place]!;
    const y = Math.floor(chunk / food.chunksPerSide) * FOOD_CHUNK + food.offsetY[place]!;
    if (Math.min(x, y) < low || Math.max(x, y) > rules.worldSize - low) outside++;
  });
  return outside;
}
