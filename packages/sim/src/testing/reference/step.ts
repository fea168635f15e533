import { numberedKey } from '@engulf/sim/keys';
import { createStreams } from '@engulf/sim/random';
import { deriveStepRules, type Rules } from '@engulf/sim/rules';
import { tideSizeFor } from '@engulf/sim/tide';
import { dissolveOldMass, ejectQueued, splitOvergrown, splitQueued } from './dividing.ts';
import { eatBodies } from './eating.ts';
import { eatFood, foodWanted, growFood, placeFood } from './food.ts';
import { driftBodies, settleSiblings, steerCells, updateCentres } from './moving.ts';
import { createQuadTree } from './quad-tree.ts';
import { advanceTide, decideTide } from './tide.ts';
import { placeVirus, regrowViruses, virusesWanted } from './viruses.ts';
import { clampToBorder, type ReferenceWorld, setMass, updateBox } from './world.ts';

export function createReferenceWorld(seed: number, rules: Rules): ReferenceWorld {
  const border = { left: 0, top: 0, right: rules.worldSize, bottom: rules.worldSize };
  const size = tideSizeFor(rules, 0);
  const world: ReferenceWorld = {
    rules,
    stepRules: deriveStepRules(rules),
    streams: createStreams(numberedKey(seed)),
    tick: 0,
    tide: { size, goal: size, risesAtTick: 0, isHeld: false },
    players: [],
    bodies: [],
    freeSlots: [],
    finder: createQuadTree(border),
    foodCount: 0,
    foodPerSquare: [],
    foodGrowthCarry: 0,
    ejectedCount: 0,
    virusCount: 0,
    outcomes: [],
  };
  while (world.foodCount < foodWanted(world)) placeFood(world);
  for (let i = virusesWanted(world); i > 0; i--) placeVirus(world);
  return world;
}

/**
 * The mechanics of `@engulf/sim/step` in the same order, without those that cost nothing under this load or
 * have no counterpart in older servers: bots, portals, leaving, closing and bounties.
 */
export function stepReference(world: ReferenceWorld): void {
  world.outcomes = [];
  splitQueued(world);
  ejectQueued(world);
  steerCells(world);
  driftBodies(world);
  settleSiblings(world);
  advanceTide(world);
  placeBodies(world);
  eatBodies(world);
  eatFood(world);
  decayCells(world);
  splitOvergrown(world);
  dissolveOldMass(world);
  growFood(world);
  regrowViruses(world);
  updateCentres(world);
  decideTide(world);
  world.tick++;
}

/** Keeps every cell inside the border and updates the tree. */
function placeBodies(world: ReferenceWorld): void {
  for (const body of world.bodies) {
    if (!body) continue;
    if (body.kind === 'cell') clampToBorder(body, world);
    updateBox(body);
  }
}

/** Large cells lose some mass once a second; they take turns. */
function decayCells(world: ReferenceWorld): void {
  const { bodies, rules, stepRules } = world;
  const floorMilli = stepRules.decayAboveMassMilli;
  for (let slot = world.tick % rules.stepsPerSecond; slot < bodies.length; slot += rules.stepsPerSecond) {
    const cell = bodies[slot];
    if (cell?.kind !== 'cell' || cell.massMilli <= floorMilli) continue;
    const lost = Math.floor(cell.massMilli * rules.cells.decayPerSecond);
    setMass(cell, cell.massMilli - Math.min(lost, cell.massMilli - floorMilli));
  }
}
