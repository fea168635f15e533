import { addBody, BODY, removeBody } from '@engulf/sim/bodies';
import { changeCellMass, updateCentres } from '@engulf/sim/cells';
import type { ArenaEvent } from '@engulf/sim/events';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { MILLI } from '@engulf/sim/rules';
import { cellsOf, place, quietWorld } from '@engulf/sim/testing/arena-builder';
import { createWatch } from '../watch.ts';

export type Pose = {
  readonly x: number;
  readonly y: number;
  readonly mass: number;
  /** Where the pointer is, from the cell. */
  readonly aimX: number;
  readonly aimY: number;
};

/** A match in which a test says for every step where everybody is and points: nothing happens by itself. */
export function createPuppets(names: readonly string[]) {
  const world = quietWorld({ worldSize: 7_000 });
  const watch = createWatch();
  const nameOf = new Map<PlayerId, string>();
  const idOf = new Map<string, PlayerId>();
  const spawned: ArenaEvent[] = [];
  for (const name of names) {
    const player = place(world, { x: 100, y: 100, mass: 50 });
    nameOf.set(player, name);
    idOf.set(name, player);
    spawned.push({ type: 'spawned', player, isBot: false, stake: 1000n });
  }
  let waiting = spawned;

  const setPose = (name: string, { x, y, mass, aimX, aimY }: Pose) => {
    const player = idOf.get(name)!;
    const cell = cellsOf(world, player)[0]!;
    changeCellMass(world, cell, mass * MILLI - world.bodies.massMilli[cell]!);
    world.bodies.x[cell] = x;
    world.bodies.y[cell] = y;
    const slot = findPlayer(world.players, player);
    world.players.offsetX[slot] = aimX;
    world.players.offsetY[slot] = aimY;
  };

  return {
    /** One step, in which everybody stands as told. */
    step(poses: { readonly [name: string]: Pose }, events: readonly ArenaEvent[] = []): void {
      for (const [name, pose] of Object.entries(poses)) setPose(name, pose);
      updateCentres(world);
      world.clock.tick++;
      watch.step(world, [...waiting, ...events], (player) => nameOf.get(player));
      waiting = [];
    },
    id: (name: string) => idOf.get(name)!,
    /** Throws a piece; the answer takes it away again. */
    throwPiece(name: string, x: number, y: number): () => void {
      const { bodies, rules, clock } = world;
      const owner = findPlayer(world.players, idOf.get(name)!);
      const piece = addBody(bodies, rules, BODY.ejected, owner, x, y, 13 * MILLI, clock.tick);
      return () => removeBody(bodies, piece);
    },
    finish: () => watch.finish(),
  };
}
