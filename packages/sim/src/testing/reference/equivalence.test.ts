import { type Rules, standardRules } from '@engulf/sim/rules';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Arena, type Outcome, simArena } from '../../../../../bench/arena.ts';
import { loadRules, startLoad } from '../../../../../bench/load.ts';
import { referenceArena } from './arena.ts';

type Mechanic = Outcome['type'];

const smallWorlds = fc.record({
  seed: fc.nat({ max: 0xffff_ffff }),
  players: fc.integer({ min: 3, max: 12 }),
  worldSize: fc.integer({ min: 1500, max: 3000 }),
});

test('both implementations give bit-identical results for every step of small worlds', () => {
  const seen = new Set<Mechanic>();
  fc.assert(
    fc.property(smallWorlds, ({ seed, players, worldSize }) => {
      const rules = crowdedRules(players, worldSize);
      runBoth(rules, seed, 400, seen, (arena) => startLoad(arena, rules, seed, 'busy'));
    }),
    { numRuns: 10 },
  );
  expect([...seen].toSorted()).toEqual(['burst', 'cellEaten', 'killed', 'virusShot']);
});

test('both implementations agree under the load of the benchmark', () => {
  const rules = loadRules(160, 'busy');
  const arena = runBoth(rules, 5, 200, new Set(), (arena) => startLoad(arena, rules, 5, 'busy'));
  expect(arena.describe().filter((line) => line.startsWith('food'))).toHaveLength(2000);
});

test('both implementations eject, split, merge and dissolve a lone player alike', () => {
  const rules = { ...crowdedRules(1, 3000), viruses: { ...standardRules.viruses, count: 0 } };
  const cellCounts: number[] = [];
  const ejectedCounts: number[] = [];
  runBoth(rules, 11, 200, new Set(), (arena) => {
    const player = arena.join(1500, 1500, 0);
    arena.addCell(player, 1500, 1500, 120_000, 0);
    let tick = 0;
    return () => {
      cellCounts.push(arena.cellsOf(player).length);
      ejectedCounts.push(arena.describe().filter((line) => line.includes(': ejected')).length);
      if (tick === 0) arena.steer(player, 900, 300);
      if (tick === 5) arena.eject(player);
      if (tick === 6) arena.steer(player, -900, -300);
      if (tick === 10) arena.split(player);
      if (tick === 40) arena.steer(player, 1, 1);
      tick++;
    };
  });
  expect(Math.max(...cellCounts)).toBe(2);
  expect(cellCounts.at(-1)).toBe(1);
  expect(Math.max(...ejectedCounts)).toBe(1);
  expect(ejectedCounts.at(-1)).toBe(0);
});

test('both implementations respect invulnerability and halve an overgrown cell alike', () => {
  const rules: Rules = {
    ...crowdedRules(2, 3000),
    viruses: { ...standardRules.viruses, count: 0 },
    cells: { ...standardRules.cells, maxMass: 140 },
  };
  const preyCells: number[] = [];
  const eaterCells: number[] = [];
  const seen = new Set<Mechanic>();
  runBoth(rules, 12, 30, seen, (arena) => {
    const prey = arena.join(1000, 1000, 10);
    arena.addCell(prey, 1000, 1000, 30_000, 0);
    const eater = arena.join(1000, 1000, 0);
    arena.addCell(eater, 1000, 1000, 130_000, 0);
    return () => {
      preyCells.push(arena.cellsOf(prey).length);
      eaterCells.push(arena.cellsOf(eater).length);
    };
  });
  expect(preyCells.slice(0, 11).every((count) => count === 1)).toBe(true);
  expect(preyCells.at(-1)).toBe(0);
  expect(Math.max(...eaterCells)).toBe(2);
  expect([...seen].toSorted()).toEqual(['cellEaten', 'killed']);
});

/** A small world in which every mechanic occurs within a few hundred steps. */
function crowdedRules(players: number, worldSize: number): Rules {
  return {
    ...standardRules,
    worldSize,
    maxPlayers: players,
    // It moves all the time, because they die.
    tide: {
      ...standardRules.tide,
      leastSize: 900,
      mostPlayers: players + 2,
      risingSpeed: 90,
      noticeSeconds: 1,
    },
    food: { ...standardRules.food, count: 60, respawnPerSecond: 100 },
    merging: { ...standardRules.merging, minSeconds: 1 },
    ejecting: { ...standardRules.ejecting, lifetimeSeconds: 3 },
    viruses: { ...standardRules.viruses, count: 12, maxCount: 20, feedsToShoot: 2, clearance: 20 },
  };
}

/** Steps both side by side under the same inputs, compares them after every step and returns the simulation. */
function runBoth(
  rules: Rules,
  seed: number,
  steps: number,
  seen: Set<Mechanic>,
  start: (arena: Arena) => () => void,
): Arena {
  const sim = simArena(seed, rules);
  const reference = referenceArena(seed, rules);
  const prepare = [start(sim), start(reference)];
  for (let i = 0; i < steps; i++) {
    for (const prepareStep of prepare) prepareStep();
    sim.step();
    reference.step();
    expect(reference.outcomes()).toEqual(sim.outcomes());
    expect(reference.describe()).toEqual(sim.describe());
    for (const { type } of sim.outcomes()) seen.add(type);
  }
  return sim;
}
