import { describe, expect, test } from 'vitest';
import { addBody, BODY } from '../bodies.ts';
import { createWorld } from '../create-world.ts';
import { numberedKey } from '../keys.ts';
import { findPlayer, type PlayerId } from '../players.ts';
import {
  cellsOf,
  massOf,
  ofType,
  order,
  place,
  quietRules,
  quietWorld,
  run,
} from '../testing/arena-builder.ts';
import { moneyBalance } from '../testing/invariants.ts';
import type { World } from '../world.ts';

/** A player that the bot brain steers. */
function placeBot(world: World, placement: Parameters<typeof place>[1]): PlayerId {
  const bot = place(world, placement);
  world.players.isBot[findPlayer(world.players, bot)] = 1;
  world.players.botCount++;
  return bot;
}

/** Runs without bots joining or leaving. */
function runAsIs(world: World, steps: number) {
  world.clock.botTarget = world.players.livingCount;
  return run(world, steps);
}

const xOf = (world: World, player: PlayerId) => world.players.centreX[findPlayer(world.players, player)]!;

describe('bots', () => {
  test('a bot grows by foraging', () => {
    const world = quietWorld({ food: { ...quietRules.food, count: 300, respawnPerSecond: 20 } });
    const bot = placeBot(world, { x: 1500, y: 1500, mass: 40 });
    runAsIs(world, 500);
    expect(massOf(world, bot)).toBeGreaterThan(70);
  });

  test('a bot flees from a larger cell', () => {
    const world = quietWorld();
    const bot = placeBot(world, { x: 1500, y: 1500, mass: 40 });
    place(world, { x: 1800, y: 1500, mass: 400 });
    runAsIs(world, 30);
    expect(xOf(world, bot)).toBeLessThan(1380);
  });

  test('a bot chases a smaller cell and eats it', () => {
    const world = quietWorld();
    placeBot(world, { x: 1500, y: 1500, mass: 300 });
    const prey = place(world, { x: 1850, y: 1500, mass: 200 });
    expect(ofType(runAsIs(world, 120), 'killed')).toMatchObject([{ victim: prey }]);
  });

  test('a bot splits to reach prey', () => {
    const world = quietWorld();
    const bot = placeBot(world, { x: 1500, y: 1500, mass: 400 });
    const prey = place(world, { x: 1850, y: 1500, mass: 60 });
    order(world, { type: 'steer', player: prey, x: 3000, y: 0 });
    const events = runAsIs(world, 30);
    expect(ofType(events, 'killed')).toMatchObject([{ victim: prey, killer: bot }]);
    expect(cellsOf(world, bot)).toHaveLength(2);
  });

  test('a bot avoids viruses', () => {
    const world = quietWorld({ food: { ...quietRules.food, count: 200, respawnPerSecond: 200 } });
    const bot = placeBot(world, { x: 1500, y: 1500, mass: 300 });
    for (let i = 0; i < 12; i++)
      addBody(
        world.bodies,
        world.rules,
        BODY.virus,
        -1,
        300 + 800 * (i % 4),
        400 + 900 * Math.floor(i / 4),
        100_000,
        0,
      );
    const events = runAsIs(world, 750);
    expect(ofType(events, 'burst').length).toBeLessThanOrEqual(1);
    expect(massOf(world, bot)).toBeGreaterThan(300);
  });

  test('a bot cashes out once its bounty is high enough', () => {
    const world = quietWorld();
    const bot = placeBot(world, { x: 1500, y: 1500, mass: 200 });
    world.players.bounty[findPlayer(world.players, bot)]! *= 3n;
    world.money.paidIn += 2000n;
    world.portals.phaseEndsAtTick = 0;
    expect(ofType(runAsIs(world, 34 * 25), 'exited')).toMatchObject([{ player: bot, bounty: 3000n }]);
  });

  test('bots fill a lobby up and make room for people', () => {
    const world = createWorld({ key: numberedKey(9) });
    order(world, { type: 'setPopulation', count: 6 });
    run(world, 600);
    expect([world.players.livingCount, world.players.botCount]).toEqual([6, 6]);
    for (let i = 0; i < 4; i++) order(world, { type: 'join', stake: 1_000_000n });
    run(world, 10);
    expect([world.players.livingCount, world.players.botCount]).toEqual([6, 2]);
    order(world, { type: 'setPopulation', count: 0 });
    run(world, 10);
    expect(world.players.botCount).toBe(0);
    expect(moneyBalance(world)).toBe(0n);
  });

  test('matches of bots are eventful', () => {
    const world = createWorld({ key: numberedKey(4) });
    order(world, { type: 'setPopulation', count: 20 });
    const events = run(world, 7500);
    expect(ofType(events, 'killed').length).toBeGreaterThan(15);
    expect(ofType(events, 'exited').length).toBeGreaterThan(0);
    const largest = Math.max(
      ...world.players.massMilli.map((mass, i) => (world.players.isAlive[i] ? mass : 0)),
    );
    expect(largest).toBeGreaterThan(500_000);
  });
});
