import { describe, expect, test } from 'vitest';
import { applyCommand } from '../commands.ts';
import { numberedKey } from '../keys.ts';
import type { Rules } from '../rules.ts';
import { standardRules } from '../rules.ts';
import { loadWorld, saveWorld } from '../snapshot.ts';
import {
  bountyOf,
  isAlive,
  massOf,
  order,
  place,
  quietRules,
  quietWorld,
  run,
} from '../testing/arena-builder.ts';

const { truce } = standardRules;
const second = quietRules.stepsPerSecond;
const truceWorld = (changes: Partial<Rules> = {}) => quietWorld({ truce, ...changes });

describe('a truce', () => {
  test('lets nobody be eaten until it is over, and for a moment after it', () => {
    const world = truceWorld();
    const hunter = place(world, { x: 1000, y: 1000, mass: 400 });
    const prey = place(world, { x: 1000, y: 1000, mass: 40 });
    order(world, { type: 'truce', seconds: 2 });
    run(world, 2 * second);
    expect(isAlive(world, prey)).toBe(true);
    run(world, truce.parleySeconds * second);
    expect(isAlive(world, prey)).toBe(true);
    run(world, 1);
    expect(isAlive(world, prey)).toBe(false);
    expect(bountyOf(world, hunter)).toBe(2000n);
  });

  test('holds departures, portals and the closing', () => {
    const portals = { ...quietRules.portals, idleSeconds: 3 };
    const world = truceWorld({ portals, departure: { graceSeconds: 2 }, closing: { portalsOpenSeconds: 1 } });
    const gone = place(world, { x: 1000, y: 1000, mass: 40 });
    place(world, { x: 2000, y: 2000, mass: 40 });
    run(world, 1);
    order(world, { type: 'disconnect', player: gone });
    order(world, { type: 'close', inSeconds: 20 });
    const { phaseEndsAtTick } = world.portals;
    const { closesAtTick } = world.clock;
    order(world, { type: 'truce', seconds: 10 });
    run(world, 10 * second);
    expect(isAlive(world, gone)).toBe(true);
    expect(world.portals.phaseEndsAtTick).toBe(phaseEndsAtTick + 10 * second);
    expect(world.clock.closesAtTick).toBe(closesAtTick + 10 * second);
    order(world, { type: 'reconnect', player: gone });
    run(world, 3 * second);
    expect(isAlive(world, gone)).toBe(true);
  });

  test('leaves open portals open, for whoever is there', () => {
    const world = truceWorld({ portals: { ...quietRules.portals, idleSeconds: 0, warningSeconds: 0 } });
    const player = place(world, { x: 1500, y: 1500, mass: 40 });
    while (world.portals.phase !== 2) run(world, 1);
    order(world, { type: 'truce', seconds: 5 });
    run(world, second);
    const [cell] = [world.players.cells[0]!];
    world.bodies.x[cell] = world.portals.x[0]!;
    world.bodies.y[cell] = world.portals.y[0]!;
    const events = run(world, 1);
    expect(events).toContainEqual(expect.objectContaining({ type: 'exited', player, bounty: 1000n }));
  });

  test('gives nobody food', () => {
    const food = { ...standardRules.food, count: 200, respawnPerSecond: 100 };
    const world = truceWorld({ food });
    const grazer = place(world, { x: 1500, y: 1500, mass: 400 });
    order(world, { type: 'truce', seconds: 1 });
    run(world, second);
    expect(massOf(world, grazer)).toBe(400);
    run(world, 1);
    expect(massOf(world, grazer)).toBeGreaterThan(400);
  });

  test('is ended before its time, can be no longer than the rules say, and survives a move', () => {
    const world = truceWorld();
    place(world, { x: 1000, y: 1000, mass: 40 });
    for (const seconds of [-1, truce.maxSeconds + 1, Number.NaN])
      expect(applyCommand(world, { type: 'truce', seconds }).ok).toBe(false);
    order(world, { type: 'truce', seconds: 10 });
    const moved = loadWorld(saveWorld(world), world.rules, numberedKey(1));
    expect(moved.truce).toEqual(world.truce);
    order(world, { type: 'truce', seconds: 0 });
    expect(world.truce.endsAtTick).toBe(-1);
    expect(applyCommand(quietWorld(), { type: 'truce', seconds: 1 }).ok).toBe(false);
  });
});

describe('spill', () => {
  const { spill } = standardRules;
  const shareOf = (kept: bigint, living: number) => {
    const world = quietWorld({ spill });
    world.money.spill = kept;
    const players = Array.from({ length: living }, (_, nth) =>
      place(world, { x: 300 * (nth + 1), y: 500, mass: 40 }),
    );
    run(world, spill.everySeconds * second + 1);
    return { world, gained: players.map((player) => bountyOf(world, player) - 1000n) };
  };

  test('is not for somebody who is alone', () => {
    const { world, gained } = shareOf(950_000_000n, 1);
    expect(gained).toEqual([0n]);
    expect(world.money.spill).toBe(950_000_000n);
  });

  test('is shared little by little among those who live', () => {
    const { world, gained } = shareOf(950_000_000n, 2);
    // At the first step, and again five seconds later.
    const first = 950_000_000n / 60n / 2n;
    const second = (950_000_000n - 2n * first) / 60n / 2n;
    expect(gained).toEqual([first + second, first + second]);
    expect(world.money.spill).toBe(950_000_000n - 2n * (first + second));
  });

  test('is shared whole when there is little of it', () => {
    const { world, gained } = shareOf(101n, 2);
    expect(gained).toEqual([50n, 50n]);
    expect(world.money.spill).toBe(1n);
  });
});
