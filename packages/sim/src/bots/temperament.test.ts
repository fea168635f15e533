import { describe, expect, test } from 'vitest';
import { addBody, BODY } from '../bodies.ts';
import { findPlayer, type PlayerId, playerId } from '../players.ts';
import { ofType, type Placement, place, quietWorld, run } from '../testing/arena-builder.ts';
import type { World } from '../world.ts';
import { type Temperament, temperamentOf } from './temperament.ts';

/** A bot with a temperament that `suits`: of any three generations in a row, one has it. */
function placeBot(
  world: World,
  placement: Placement,
  suits: (temperament: Temperament) => boolean,
): PlayerId {
  const { players } = world;
  const bot = findPlayer(players, place(world, placement));
  players.isBot[bot] = 1;
  players.botCount++;
  while (!suits(temperamentOf(players, bot))) players.generation[bot]!++;
  return playerId(players, bot);
}

const isGrazer = (temperament: Temperament) => temperament.splitsBelowCells === 0;
const isHunter = (temperament: Temperament) => temperament.confidence > 1;
const isGambler = (temperament: Temperament) => temperament.isGreedy;

/** Runs without bots joining or leaving. */
function runAsIs(world: World, steps: number) {
  world.clock.botTarget = world.players.livingCount;
  return run(world, steps);
}

const slotOf = (world: World, player: PlayerId) => findPlayer(world.players, player);

describe('temperaments', () => {
  test('every three bots in a row are of three kinds', () => {
    const { players } = quietWorld();
    const kinds = new Set([0, 1, 2].map((bot) => temperamentOf(players, bot)));
    expect(kinds.size).toBe(3);
  });

  test('a bot needs time to notice a danger', () => {
    const world = quietWorld();
    const bot = slotOf(world, placeBot(world, { x: 1500, y: 1500, mass: 40 }, isGrazer));
    place(world, { x: 1780, y: 1500, mass: 400 });
    runAsIs(world, 4);
    expect(world.players.offsetX[bot]).toBeGreaterThanOrEqual(0);
    runAsIs(world, 16);
    expect(world.players.offsetX[bot]).toBeLessThan(0);
  });

  test('a small bot hides behind a virus that bursts the hunter', () => {
    const world = quietWorld();
    const bot = slotOf(world, placeBot(world, { x: 1500, y: 1500, mass: 40 }, isGrazer));
    place(world, { x: 1200, y: 1500, mass: 400 });
    addBody(world.bodies, world.rules, BODY.virus, -1, 1500, 1800, 100_000, 0);
    runAsIs(world, 75);
    const dx = world.players.centreX[bot]! - 1500;
    const dy = world.players.centreY[bot]! - 1800;
    expect(Math.sqrt(dx * dx + dy * dy)).toBeLessThan(150);
    expect(dx).toBeGreaterThan(0);
  });

  test.each([
    ['hunter', isHunter, 1],
    ['grazer', isGrazer, 0],
  ])('a %s splits for a kill or does not', (_, suits, splits) => {
    const world = quietWorld();
    const bot = slotOf(world, placeBot(world, { x: 1500, y: 1500, mass: 400 }, suits));
    const prey = place(world, { x: 1860, y: 1500, mass: 110 });
    world.players.offsetX[slotOf(world, prey)] = 3000;
    runAsIs(world, 30);
    expect(world.players.cellCount[bot]).toBe(1 + splits);
  });

  test('a gambler feeds a virus to shoot it at somebody larger', () => {
    const world = quietWorld();
    placeBot(world, { x: 800, y: 1500, mass: 500 }, isGambler);
    place(world, { x: 1900, y: 1500, mass: 1500 });
    addBody(world.bodies, world.rules, BODY.virus, -1, 1300, 1500, 100_000, 0);
    expect(ofType(runAsIs(world, 150), 'virusShot')).toHaveLength(1);
  });

  test('a gambler leaves at the last moment, a grazer at once', () => {
    const exits = [isGambler, isGrazer].map((suits) => {
      const world = quietWorld();
      const bot = placeBot(world, { x: 1500, y: 1500, mass: 200 }, suits);
      world.players.bounty[slotOf(world, bot)]! *= 3n;
      world.money.paidIn += 2000n;
      world.portals.phaseEndsAtTick = 0;
      for (let tick = 0; tick < 36 * 25; tick++)
        if (ofType(runAsIs(world, 1), 'exited').length > 0) return tick / 25;
      return Infinity;
    });
    expect(exits[0]).toBeGreaterThan(10 + 24 - 8);
    expect(exits[0]).toBeLessThan(35);
    expect(exits[1]).toBeLessThan(14);
  });
});
