import { numberedKey } from '@engulf/sim/keys';
import { createRandom, type Random, randomBelow, randomBetween } from '@engulf/sim/random';
import { MILLI, mergeDelayTicks, type Rules, standardRules } from '@engulf/sim/rules';
import type { Arena } from './arena.ts';

export const CELLS_PER_PLAYER = 10;
const FOOD = 2000;
/** Cells outside these limits get a new mass, so that the load stays the same over time. */
const LIGHTEST = 25;
const HEAVIEST = 150;

const EVERY = { trimTicks: 10, aimTicks: 50, ejectTicks: 75, splitTicks: 150 } as const;

export type LoadKind = 'busy' | 'quiet';

/**
 * The standard rules for a world with this many cells. Its area grows in proportion from the game's own 7000
 * × 7000 at 1,000 cells; it does not shrink below that, or the food would not fit. Food and viruses regrow at
 * once. In a quiet world cells only move and forage.
 */
export function loadRules(cells: number, kind: LoadKind): Rules {
  const { stepsPerSecond, worldSize } = standardRules;
  const rules: Rules = {
    ...standardRules,
    worldSize: Math.round(worldSize * Math.sqrt(Math.max(1, cells / 1000))),
    maxPlayers: cells / CELLS_PER_PLAYER,
    // The load is spread over the whole world.
    tide: { ...standardRules.tide, leastSize: 0 },
    food: { ...standardRules.food, count: FOOD, respawnPerSecond: FOOD * stepsPerSecond },
    ejecting: { ...standardRules.ejecting, maxEjected: Math.max(standardRules.ejecting.maxEjected, cells) },
    viruses: { ...standardRules.viruses, respawnPerSecond: stepsPerSecond },
  };
  if (kind === 'busy') return rules;
  return {
    ...rules,
    eating: { ...rules.eating, massRatio: Number.MAX_SAFE_INTEGER },
    viruses: { ...rules.viruses, count: 0 },
  };
}

/**
 * Fills an arena with players of ten cells each. The returned function has to be called before every step: it
 * replaces eaten cells, steers everyone towards a moving target and, unless the world is quiet, makes the
 * players split every six seconds and eject every three, in turns. It depends only on the seed and the
 * arena's state.
 */
export function startLoad(arena: Arena, rules: Rules, seed: number, kind: LoadKind): () => void {
  const random = createRandom(numberedKey(seed));
  const targets = Array.from({ length: rules.maxPlayers }, () => ({ x: 0, y: 0, driftX: 0, driftY: 0 }));
  let tick = 0;
  for (const player of targets.keys()) enter(player);
  return () => {
    for (const player of targets.keys()) {
      if (!arena.isAlive(player)) enter(player);
      const turn = tick + player;
      if (turn % EVERY.trimTicks === 0) trim(arena, random, player);
      fill(player);
      if (turn % EVERY.aimTicks === 0) aim(player);
      steer(player);
      if (kind === 'quiet') continue;
      if (turn % EVERY.splitTicks === 0) arena.split(player);
      if (turn % EVERY.ejectTicks === 0) arena.eject(player);
    }
    tick++;
  };

  function enter(player: number): void {
    const x = randomBetween(random, 200, rules.worldSize - 200);
    const y = randomBetween(random, 200, rules.worldSize - 200);
    if (arena.join(x, y, 0) !== player) throw new Error('The load lost count of its players');
    fill(player);
    aim(player);
  }

  function fill(player: number): void {
    const missing = CELLS_PER_PLAYER - arena.cellsOf(player).length;
    for (let i = 0; i < missing; i++) {
      const centre = arena.centreOf(player);
      const massMilli = freshMassMilli(random);
      const x = inside(centre.x + randomBetween(random, -200, 200), rules);
      const y = inside(centre.y + randomBetween(random, -200, 200), rules);
      const mergeTick = tick + randomBelow(random, mergeDelayTicks(rules, massMilli));
      arena.addCell(player, x, y, massMilli, mergeTick);
    }
  }

  function aim(player: number): void {
    const centre = arena.centreOf(player);
    const target = targets[player]!;
    target.x = inside(centre.x + randomBetween(random, -1500, 1500), rules);
    target.y = inside(centre.y + randomBetween(random, -1500, 1500), rules);
    target.driftX = randomBetween(random, -20, 20);
    target.driftY = randomBetween(random, -20, 20);
  }

  function steer(player: number): void {
    const centre = arena.centreOf(player);
    const target = targets[player]!;
    target.x += target.driftX;
    target.y += target.driftY;
    arena.steer(player, target.x - centre.x, target.y - centre.y);
  }
}

/** Removes the cells that splits and bursts added, and resets the mass of those that grew or shrank too far. */
function trim(arena: Arena, random: Random, player: number): void {
  for (const [index, cell] of arena.cellsOf(player).entries()) {
    if (index >= CELLS_PER_PLAYER) arena.removeCell(cell.slot);
    else if (cell.massMilli < LIGHTEST * MILLI || cell.massMilli > HEAVIEST * MILLI)
      arena.setMass(cell.slot, freshMassMilli(random));
  }
}

function freshMassMilli(random: Random): number {
  return (30 + randomBelow(random, 60)) * MILLI;
}

function inside(coordinate: number, rules: Rules): number {
  return Math.min(Math.max(coordinate, 0), rules.worldSize);
}
