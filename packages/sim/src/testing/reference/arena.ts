import { quantisePointer } from '@engulf/sim/pointer';
import type { Rules } from '@engulf/sim/rules';
import { type Arena, describeBody, describePiece } from '../../../../../bench/arena.ts';
import { search } from './quad-tree.ts';
import { createReferenceWorld, stepReference } from './step.ts';
import { addBody, type Player, type ReferenceWorld, removeBody, setMass } from './world.ts';

export function referenceArena(seed: number, rules: Rules): Arena {
  const world = createReferenceWorld(seed, rules);
  const player = (slot: number) => world.players[slot]!;
  const cell = (slot: number) => world.bodies[slot]!;
  return {
    join: (x, y, invulnerableTicks) => join(world, x, y, invulnerableTicks),
    isAlive: (slot) => player(slot).isAlive,
    centreOf: (slot) => ({ x: player(slot).centreX, y: player(slot).centreY }),
    cellsOf: (slot) => player(slot).cells.map(({ slot, massMilli }) => ({ slot, massMilli })),
    addCell(slot, x, y, massMilli, mergeTick) {
      addBody(world, 'cell', player(slot), x, y, massMilli).mergeTick = mergeTick;
    },
    removeCell: (slot) => removeBody(world, cell(slot)),
    setMass: (slot, massMilli) => setMass(cell(slot), massMilli),
    steer(slot, offsetX, offsetY) {
      player(slot).offsetX = quantisePointer(offsetX);
      player(slot).offsetY = quantisePointer(offsetY);
    },
    split(slot) {
      player(slot).queuedSplits = Math.min(rules.splitting.maxQueued, player(slot).queuedSplits + 1);
    },
    eject(slot) {
      player(slot).queuedEjects = Math.min(rules.ejecting.maxQueued, player(slot).queuedEjects + 1);
    },
    step: () => stepReference(world),
    outcomes: () => world.outcomes,
    describe: () => [...describeBodies(world), ...describeFood(world)],
  };
}

function join(world: ReferenceWorld, x: number, y: number, invulnerableTicks: number): number {
  const free = world.players.findIndex((player) => !player.isAlive);
  const slot = free < 0 ? world.players.length : free;
  const player: Player = {
    slot,
    generation: (world.players[slot]?.generation ?? 0) + 1,
    isAlive: true,
    cells: [],
    offsetX: 0,
    offsetY: 0,
    centreX: x,
    centreY: y,
    queuedSplits: 0,
    queuedEjects: 0,
    ejectReadyTick: 0,
    invulnerableUntilTick: world.tick + invulnerableTicks,
  };
  world.players[slot] = player;
  return slot;
}

function describeBodies({ bodies }: ReferenceWorld): string[] {
  return bodies.flatMap((body) => (body ? [describeBody({ ...body, owner: body.owner?.slot ?? -1 })] : []));
}

function describeFood(world: ReferenceWorld): string[] {
  return search(world.finder, world.finder.box)
    .flatMap((thing) =>
      thing.kind === 'food' ? [describePiece(thing.x, thing.y, thing.mass, thing.colour)] : [],
    )
    .sort();
}
