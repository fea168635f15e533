import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BODY } from './bodies.ts';
import { applyCommand } from './commands.ts';
import { createWorld } from './create-world.ts';
import type { ArenaEvent } from './events.ts';
import { numberedKey } from './keys.ts';
import { playerId } from './players.ts';
import { hashWorld, loadWorld, saveWorld } from './snapshot.ts';
import { step } from './step.ts';
import { crowdedRules } from './testing/arena-builder.ts';
import { bodyId, findBrokenInvariant, livingMassMilli, moneyBalance } from './testing/invariants.ts';
import { commandOf, type Move, randomMatch } from './testing/random-play.ts';
import type { World } from './world.ts';

const RUNS = 1_500;

type Match = { seed: number; bots: number; moves: Move[][] };

function play(
  { seed, bots, moves }: Match,
  afterStep: (world: World, events: readonly ArenaEvent[]) => void,
  beforeStep: (world: World) => void = () => {},
): World {
  const world = createWorld({ key: numberedKey(seed), rules: crowdedRules, spill: 5n });
  applyCommand(world, { type: 'setPopulation', count: bots });
  for (const stepMoves of moves) {
    beforeStep(world);
    for (const move of stepMoves) applyCommand(world, commandOf(world, move));
    const hadEnded = world.clock.isEnded;
    const events = step(world);
    if (!hadEnded) afterStep(world, events);
  }
  return world;
}

describe('over random play', () => {
  test('money is conserved exactly and all invariants hold', () => {
    const outcomes = {
      killed: 0,
      exited: 0,
      departed: 0,
      burst: 0,
      virusShot: 0,
      spillShared: 0,
      cellEaten: 0,
      closing: 0,
      bountyReturned: 0,
      ended: 0,
    };
    let populationChanges = 0;
    fc.assert(
      fc.property(randomMatch, (match) => {
        const world = play(match, (current, events) => {
          populationChanges += Number(current.clock.botTarget !== match.bots);
          for (const { type } of events) if (type in outcomes) outcomes[type as keyof typeof outcomes]++;
          expect(moneyBalance(current)).toBe(5n);
        });
        expect(findBrokenInvariant(world)).toBeUndefined();
        applyCommand(world, { type: 'end', reason: 'fault' });
        step(world);
        expect(world.money.paidOut + world.money.spill).toBe(world.money.paidIn + 5n);
      }),
      { numRuns: RUNS },
    );
    // The runs only prove something if everything that moves money happened in them.
    for (const [type, count] of Object.entries(outcomes)) expect(count, type).toBeGreaterThan(0);
    expect(populationChanges).toBeGreaterThan(0);
  });

  test('mass only comes from food, spawns and viruses', () => {
    fc.assert(
      fc.property(randomMatch, (match) => {
        let massBefore = 0;
        let foodBefore = new Uint8Array();
        play(
          match,
          (world, events) => {
            const { rules, stepRules, bodies, clock } = world;
            const count = (type: ArenaEvent['type']) => events.filter((event) => event.type === type).length;
            let virusesGrown = 0;
            for (let body = 0; body < bodies.top; body++) {
              const isNew = bodies.kind[body] === BODY.virus && bodies.bornTick[body] === clock.tick - 1;
              if (isNew && bodies.massMilli[body] === stepRules.virusMassMilli) virusesGrown++;
            }
            const allowed =
              foodEaten(world, foodBefore) * 1000 +
              count('spawned') * stepRules.spawnMassMilli +
              virusesGrown * stepRules.virusMassMilli +
              count('virusShot') * rules.viruses.shotMass * 1000;
            expect(livingMassMilli(world) - massBefore).toBeLessThanOrEqual(allowed);
          },
          (world) => {
            massBefore = livingMassMilli(world);
            foodBefore = world.food.mass.slice();
          },
        );
      }),
      { numRuns: 500 },
    );
  });

  test('ids of bodies and players are never reused', () => {
    fc.assert(
      fc.property(randomMatch, (match) => {
        const owners = new Map<number, string>();
        play(match, (world) => {
          const { bodies, players } = world;
          for (let body = 0; body < bodies.top; body++) {
            if (bodies.kind[body] === BODY.none) continue;
            const identity = `${bodies.kind[body]} born ${bodies.bornTick[body]} at slot ${body}`;
            const id = bodyId(bodies, body);
            expect(owners.get(id) ?? identity).toBe(identity);
            owners.set(id, identity);
          }
          for (let player = 0; player < players.top; player++) {
            expect(playerId(players, player)).toBeGreaterThanOrEqual(65_536);
          }
        });
      }),
      { numRuns: 200 },
    );
  });

  test('a restored world continues exactly like the original', () => {
    fc.assert(
      fc.property(randomMatch, fc.nat(100), (match, at) => {
        const straight = play(match, () => {});
        let resumed = createWorld({ key: numberedKey(match.seed), rules: crowdedRules, spill: 5n });
        applyCommand(resumed, { type: 'setPopulation', count: match.bots });
        match.moves.forEach((stepMoves, index) => {
          if (index === at % match.moves.length)
            resumed = loadWorld(saveWorld(resumed), crowdedRules, numberedKey(match.seed));
          for (const move of stepMoves) applyCommand(resumed, commandOf(resumed, move));
          step(resumed);
        });
        expect(hashWorld(resumed)).toBe(hashWorld(straight));
      }),
      { numRuns: 150 },
    );
  });
});

/** Follows the list of changes: food was eaten from a full place and grew in an empty one. */
function foodEaten({ food }: World, before: Uint8Array): number {
  let eaten = 0;
  for (const place of food.changes.subarray(0, food.changeCount)) {
    eaten += before[place]!;
    before[place] = before[place] === 0 ? food.mass[place]! : 0;
  }
  expect(before).toEqual(food.mass);
  return eaten;
}
