import { expect, test } from 'vitest';
import { addCell, updateCentres } from './cells.ts';
import { applyCommand } from './commands.ts';
import { createWorld } from './create-world.ts';
import { numberedKey } from './keys.ts';
import { copierOf, createOwnWorld, OWN_PLAYER, stepOwnCells } from './own-cells.ts';
import { type PlayerId, playerId } from './players.ts';
import { type Rules, standardRules } from './rules.ts';
import { step } from './step.ts';
import type { World } from './world.ts';

/** Nothing happens here but what a player's cells do by themselves. */
const rules: Rules = {
  ...standardRules,
  spawn: { ...standardRules.spawn, mass: 400 },
  viruses: { ...standardRules.viruses, count: 0 },
  food: { ...standardRules.food, count: 0 },
  cells: { ...standardRules.cells, decayPerSecond: 0 },
  merging: { minSeconds: 1, maxSeconds: 2, secondsPerMass: 0.02 },
};

/** A real arena with one player, and a world of its cells alone. */
function createPair(): { real: World; own: World; player: PlayerId } {
  const real = createWorld({ key: numberedKey(4), rules });
  const joined = applyCommand(real, { type: 'join', stake: 1n });
  if (!joined.ok) throw new Error('no place');
  const own = createOwnWorld(rules);
  addCell(own, OWN_PLAYER, real.bodies.x[0]!, real.bodies.y[0]!, real.bodies.massMilli[0]!);
  updateCentres(own);
  Object.assign(own.tide, real.tide);
  return { real, own, player: joined.player! };
}

function cellsOf({ bodies, players }: World): number[][] {
  return [...players.cells.subarray(0, players.cellCount[0]!)].map((cell) => [
    bodies.x[cell]!,
    bodies.y[cell]!,
    bodies.massMilli[cell]!,
  ]);
}

test('steering, splitting, pushing and merging give the same bits as in a full step', () => {
  const { real, own, player } = createPair();
  let most = 0;
  let merges = 0;
  for (let tick = 0; tick < 250; tick++) {
    const pointer = { x: 400 - tick * 3, y: tick * 2 - 200 };
    for (const [world, id] of [
      [real, player],
      [own, playerId(own.players, OWN_PLAYER)],
    ] as const) {
      applyCommand(world, { type: 'steer', player: id, ...pointer });
      if (tick % 60 === 5) applyCommand(world, { type: 'split', player: id });
    }
    const before = own.players.cellCount[0]!;
    step(real);
    stepOwnCells(own);
    if (own.players.cellCount[0]! < before) merges++;
    most = Math.max(most, own.players.cellCount[0]!);
    expect(cellsOf(own)).toEqual(cellsOf(real));
  }
  expect(most).toBeGreaterThanOrEqual(4);
  expect(merges).toBeGreaterThan(0);
});

test('a copy goes its own way', () => {
  const { own } = createPair();
  const copy = createOwnWorld(rules);
  const copyOwn = copierOf(own, copy);
  copyOwn();
  const before = cellsOf(own);
  applyCommand(copy, { type: 'steer', player: playerId(copy.players, OWN_PLAYER), x: -500, y: 0 });
  for (let tick = 0; tick < 10; tick++) stepOwnCells(copy);
  expect(cellsOf(own)).toEqual(before);
  expect(cellsOf(copy)).not.toEqual(before);
  copyOwn();
  expect(cellsOf(copy)).toEqual(before);
  expect(copy.clock.tick).toBe(own.clock.tick);
});
