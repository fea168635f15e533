import { describe, expect, test } from 'vitest';
import { applyCommand, type Command } from './commands.ts';
import { createWorld } from './create-world.ts';
import { numberedKey } from './keys.ts';
import type { PlayerId } from './players.ts';
import { hashWorld } from './snapshot.ts';
import { isAlive, order, place, quietRules, quietWorld, run } from './testing/arena-builder.ts';
import { findBrokenInvariant } from './testing/invariants.ts';

describe('commands', () => {
  const stranger = 123_456 as PlayerId;
  const nobody = Number.NaN as PlayerId;

  test.each<[string, (player: PlayerId) => Command, string]>([
    ['NaN', (player) => ({ type: 'steer', player, x: Number.NaN, y: 0 }), 'notFinite'],
    ['Infinity', (player) => ({ type: 'steer', player, x: 0, y: -Infinity }), 'notFinite'],
    ['a huge offset', (player) => ({ type: 'steer', player, x: 1e9, y: 0 }), 'outOfRange'],
    ['a string for a number', (player) => ({ type: 'steer', player, x: '5' as never, y: 0 }), 'notFinite'],
    ['an unknown player', () => ({ type: 'steer', player: stranger, x: 0, y: 0 }), 'unknownPlayer'],
    ['a player that is not a number', () => ({ type: 'split', player: nobody }), 'unknownPlayer'],
    ['a negative player', () => ({ type: 'eject', player: -1 as PlayerId }), 'unknownPlayer'],
    [
      'a fractional player',
      (player) => ({ type: 'eject', player: (player + 0.5) as PlayerId }),
      'unknownPlayer',
    ],
    ['a reconnect of a connected player', (player) => ({ type: 'reconnect', player }), 'alreadyConnected'],
    ['a negative stake', () => ({ type: 'join', stake: -1n }), 'outOfRange'],
    ['more money than u64 holds', () => ({ type: 'join', stake: 2n ** 64n - 1n }), 'outOfRange'],
    ['a fractional population', () => ({ type: 'setPopulation', count: 1.5 }), 'outOfRange'],
    ['a population over the limit', () => ({ type: 'setPopulation', count: 999 }), 'outOfRange'],
    ['an infinite closing time', () => ({ type: 'close', inSeconds: Infinity }), 'notFinite'],
    ['a closing in the past', () => ({ type: 'close', inSeconds: -1 }), 'outOfRange'],
  ])('%s is refused and changes nothing', (_name, command, refusal) => {
    const world = quietWorld();
    const player = place(world, { x: 500, y: 500, mass: 100 });
    const before = hashWorld(world);
    expect(applyCommand(world, command(player))).toEqual({ ok: false, refusal });
    expect(hashWorld(world)).toBe(before);
  });

  test('a join into a full world is refused', () => {
    const world = quietWorld();
    for (let i = 0; i < quietRules.maxPlayers; i++) order(world, { type: 'join', stake: 1n });
    const before = hashWorld(world);
    expect(applyCommand(world, { type: 'join', stake: 1n })).toEqual({ ok: false, refusal: 'worldFull' });
    expect(hashWorld(world)).toBe(before);
  });

  test('a world takes any amount in the course of time, as long as what is in it fits one bounty', () => {
    const quarter = 2n ** 62n;
    const world = createWorld({ key: numberedKey(1), rules: quietRules, spill: quarter });
    const tooMuch = { ok: false, refusal: 'outOfRange' };
    for (let game = 0; game < 5; game++) {
      const player = place(world, { x: 500, y: 500, mass: quietRules.spawn.mass, stake: 2n * quarter });
      expect(applyCommand(world, { type: 'join', stake: quarter })).toEqual(tooMuch);
      // The spill is shared now, and still there.
      run(world, 1);
      expect(applyCommand(world, { type: 'join', stake: quarter })).toEqual(tooMuch);
      order(world, { type: 'disconnect', player });
      run(world, quietRules.departure.graceSeconds * quietRules.stepsPerSecond + 1);
      expect(isAlive(world, player)).toBe(false);
      expect(world.money.spill).toBe(quarter);
    }
  });

  test('mass for a test goes to the largest cell, and what a cell cannot hold splits', () => {
    const world = quietWorld();
    const player = place(world, { x: 500, y: 500, mass: 100 });
    order(world, { type: 'testMass', player });
    run(world, 1);
    const total = () => Math.round(world.players.massMilli[0]! / 1000);
    expect(total()).toBe(1100);
    for (let times = 0; times < 30; times++) order(world, { type: 'testMass', player });
    run(world, 1);
    expect(world.players.cellCount[0]).toBeGreaterThan(1);
    expect(findBrokenInvariant(world)).toBeUndefined();
  });

  test('a late message does not reach the next player in the same slot', () => {
    const world = quietWorld();
    const hunter = place(world, { x: 500, y: 500, mass: 400 });
    const victim = place(world, { x: 500, y: 500, mass: 50 });
    run(world, 1);
    const successor = place(world, { x: 2000, y: 2000, mass: 50 });
    expect(successor % 65_536).toBe(victim % 65_536);
    expect(applyCommand(world, { type: 'split', player: victim })).toEqual({
      ok: false,
      refusal: 'unknownPlayer',
    });
    expect(applyCommand(world, { type: 'split', player: hunter })).toEqual({ ok: true, player: undefined });
  });
});
