import { describe, expect, test } from 'vitest';
import { applyCommand, type Command } from '../commands.ts';
import { createWorld } from '../create-world.ts';
import { numberedKey } from '../keys.ts';
import { portalPhase } from '../portals.ts';
import { freeLobbyRules, standardRules } from '../rules.ts';
import { loadWorld, saveWorld } from '../snapshot.ts';
import { order, run } from '../testing/arena-builder.ts';
import type { World } from '../world.ts';
import { canPledge, decidingSlot } from './beacons.ts';

const rules = { ...standardRules, food: { ...standardRules.food, count: 0, respawnPerSecond: 0 } };
const IDLE = standardRules.portals.idleSeconds * 25;
const LEAD = standardRules.beacons.leadSeconds * 25;
const NEWEST = 1_000n;

/** Somebody is in it, and the block of the first wave may be named. */
function awaitedWorld(): World {
  const world = createWorld({ key: numberedKey(1), rules });
  applyCommand(world, { type: 'join', stake: 1n });
  run(world, 1);
  return world;
}

const pledgeOf = (world: World, change: object = {}): Command => ({
  type: 'pledge',
  wave: world.portals.wave + 1,
  newest: NEWEST,
  decides: decidingSlot(world, NEWEST),
  ...change,
});
const beaconOf = (world: World, change: object = {}): Command => ({
  type: 'beacon',
  wave: world.portals.wave + 1,
  slot: BigInt(world.beacons.decides),
  blockhash: numberedKey(9),
  ...change,
});
const isRefused = (world: World, command: Command) => !applyCommand(world, command).ok;

/** To when the block may be taken. */
function approach(world: World): void {
  run(world, IDLE - 1.5 * LEAD - world.clock.tick);
}

function openWave(world: World) {
  while (portalPhase(world.portals) === 'idle') run(world, 1);
  const { count, x, y } = world.portals;
  return [...x.subarray(0, count), ...y.subarray(0, count)];
}

describe('the block of a wave', () => {
  test('is named when somebody waits for it, so far ahead that it is there before the portals show', () => {
    const empty = createWorld({ key: numberedKey(1), rules });
    run(empty, 5);
    expect(canPledge(empty)).toBe(false);
    expect(isRefused(empty, pledgeOf(empty))).toBe(true);
    const world = awaitedWorld();
    expect(decidingSlot(world, NEWEST)).toBe(NEWEST + BigInt(Math.floor((IDLE - LEAD - 1) / 10)));
    expect(isRefused(world, pledgeOf(world))).toBe(false);
    // Once.
    expect(isRefused(world, pledgeOf(world))).toBe(true);
  });

  test('is not named late, nor for another wave, nor by another rule', () => {
    const world = awaitedWorld();
    const decides = decidingSlot(world, NEWEST);
    for (const change of [{ wave: 2 }, { decides: decides - 1n }, { decides: decides + 1n }, { newest: 0n }])
      expect(isRefused(world, pledgeOf(world, change))).toBe(true);
    run(world, standardRules.beacons.pledgeSeconds * 25 + 1);
    expect(isRefused(world, pledgeOf(world))).toBe(true);
  });

  test('is at or after the slot that was named, and taken once', () => {
    const world = awaitedWorld();
    expect(isRefused(world, beaconOf(world, { slot: 1_100n }))).toBe(true);
    applyCommand(world, pledgeOf(world));
    const { decides } = world.beacons;
    // Long before the wave.
    expect(isRefused(world, beaconOf(world))).toBe(true);
    approach(world);
    for (const change of [{ wave: 2 }, { slot: BigInt(decides - 1) }, { slot: BigInt(decides + 65) }])
      expect(isRefused(world, beaconOf(world, change))).toBe(true);
    expect(isRefused(world, beaconOf(world, { blockhash: new Uint8Array(31) }))).toBe(true);
    expect(isRefused(world, beaconOf(world))).toBe(false);
    expect(isRefused(world, beaconOf(world, { blockhash: numberedKey(10) }))).toBe(true);
  });

  test('decides where the portals are, and nothing else does', () => {
    const waveOf = (blockhash: Uint8Array | undefined) => {
      const world = awaitedWorld();
      applyCommand(world, pledgeOf(world));
      approach(world);
      if (blockhash) order(world, beaconOf(world, { blockhash }));
      return { places: openWave(world), position: world.random.positions[4]!, counted: { ...world.beacons } };
    };
    const [none, first, second] = [undefined, numberedKey(1), numberedKey(2)].map(waveOf);
    expect(first!.places).toEqual(waveOf(numberedKey(1)).places);
    expect(first!.places).not.toEqual(second!.places);
    expect(first!.places).not.toEqual(none!.places);
    expect(first!.counted).toMatchObject({ keyed: 1, missed: 0, decides: 0, slot: 0 });
    // The match's own stream is not used.
    expect(first!.position).toBe(0);
    expect(none!.position).toBeGreaterThan(0);
    expect(none!.counted).toMatchObject({ keyed: 0, missed: 1 });
  });

  test('is kept with a world that is saved between naming and wave', () => {
    const world = awaitedWorld();
    applyCommand(world, pledgeOf(world));
    const moved = loadWorld(saveWorld(world), rules, numberedKey(1));
    for (const one of [world, moved]) {
      approach(one);
      order(one, beaconOf(one));
    }
    const again = loadWorld(saveWorld(moved), rules, numberedKey(1));
    expect(openWave(again)).toEqual(openWave(world));
    expect(saveWorld(again)).toEqual(saveWorld(world));
  });

  test('is not missed where nobody had waited for it long enough', () => {
    const world = createWorld({ key: numberedKey(1), rules });
    run(world, IDLE - LEAD + 5);
    applyCommand(world, { type: 'join', stake: 1n });
    openWave(world);
    expect(world.beacons).toMatchObject({ keyed: 0, missed: 0 });
  });

  test('does not exist in free lobbies', () => {
    const world = createWorld({ key: numberedKey(1), rules: freeLobbyRules });
    applyCommand(world, { type: 'join', stake: 1n });
    run(world, 1);
    expect(isRefused(world, pledgeOf(world))).toBe(true);
    expect(Object.keys(world.state)).not.toContain('beacons');
  });
});
