import { describe, expect, test } from 'vitest';
import { createWorld } from '../create-world.ts';
import { numberedKey } from '../keys.ts';
import { portalPhase } from '../portals.ts';
import { rulesBeforeTide, standardRules } from '../rules.ts';
import { step } from '../step.ts';
import { isAlive, ofType, order, place, placeSibling, quietWorld, run } from '../testing/arena-builder.ts';
import { moneyBalance } from '../testing/invariants.ts';

function worldWithActivePortals() {
  const world = quietWorld();
  world.portals.phaseEndsAtTick = 0;
  run(world, 1);
  expect(portalPhase(world.portals)).toBe('warning');
  run(world, world.stepRules.portalWarningTicks);
  expect(portalPhase(world.portals)).toBe('active');
  return world;
}

describe('portals', () => {
  test('cycle through idle, 10 s warning, 24 s active and disappearing', () => {
    const world = createWorld({ key: numberedKey(5) });
    const changes: [string, number][] = [];
    for (let i = 0; i < standardRules.portals.idleSeconds * 25 + 1_000; i++) {
      for (const event of ofType(step(world), 'portalPhase'))
        changes.push([event.phase, world.clock.tick - 1]);
    }
    const idle = standardRules.portals.idleSeconds * 25;
    expect(changes.slice(0, 5)).toEqual([
      ['warning', idle],
      ['active', idle + 250],
      ['disappearing', idle + 850],
      ['idle', idle + 875],
    ]);
  });

  test('keep their distance from the border and from each other', () => {
    for (let seed = 0; seed < 40; seed++) {
      const world = createWorld({ key: numberedKey(seed), rules: { ...standardRules, ...rulesBeforeTide } });
      world.portals.phaseEndsAtTick = 0;
      run(world, 1);
      const { count, x, y } = world.portals;
      expect([2, 3]).toContain(count);
      for (let i = 0; i < count; i++) {
        expect(Math.min(x[i]!, y[i]!)).toBeGreaterThanOrEqual(700);
        expect(Math.max(x[i]!, y[i]!)).toBeLessThanOrEqual(6300);
        for (let j = 0; j < i; j++) {
          expect((x[i]! - x[j]!) ** 2 + (y[i]! - y[j]!) ** 2).toBeGreaterThan(600 ** 2);
        }
      }
    }
  });

  test('are never where a player starts', () => {
    const world = worldWithActivePortals();
    const { portals, players, rules } = world;
    for (let player = 0; player < rules.maxPlayers; player++) {
      order(world, { type: 'join', stake: 1n });
      for (let portal = 0; portal < portals.count; portal++) {
        const dx = players.centreX[player]! - portals.x[portal]!;
        const dy = players.centreY[player]! - portals.y[portal]!;
        expect(dx * dx + dy * dy).toBeGreaterThan(rules.spawn.safeDistance ** 2);
      }
    }
  });

  test('let a player out with the whole bounty', () => {
    const world = worldWithActivePortals();
    const { x, y } = world.portals;
    const player = place(world, { x: x[0]! + 49, y: y[0]!, mass: 100, stake: 123n });
    placeSibling(world, player, 100, 100, 50);
    const outside = place(world, { x: x[0]! + 50.5, y: y[0]!, mass: 99 });
    const events = run(world, 1);
    expect(ofType(events, 'exited')).toEqual([{ type: 'exited', player, bounty: 123n, massMilli: 150_000 }]);
    expect(isAlive(world, player)).toBe(false);
    expect(isAlive(world, outside)).toBe(true);
    expect(moneyBalance(world)).toBe(0n);
  });

  test('only take the largest cell, and only while active', () => {
    const world = worldWithActivePortals();
    const { x, y } = world.portals;
    const player = place(world, { x: 100, y: 100, mass: 100 });
    placeSibling(world, player, x[0]!, y[0]!, 50);
    run(world, 1);
    expect(isAlive(world, player)).toBe(true);

    const early = quietWorld();
    early.portals.phaseEndsAtTick = 0;
    run(early, 1);
    const waiting = place(early, { x: early.portals.x[0]!, y: early.portals.y[0]!, mass: 100 });
    run(early, 100);
    expect(isAlive(early, waiting)).toBe(true);
    run(early, 200);
    expect(isAlive(early, waiting)).toBe(false);
  });
});
