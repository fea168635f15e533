import { updateCentres } from './cells.ts';
import { settleSiblings } from './mechanics/siblings.ts';
import { splitQueued } from './mechanics/splitting.ts';
import { driftBodies, keepCellsInside, steerCells } from './mechanics/steering.ts';
import type { MovementRules } from './movement.ts';
import { addPlayer } from './players.ts';
import { type Rules, standardRules } from './rules.ts';
import { moveTide, type TideRules } from './tide.ts';
import { emptyWorld, type World } from './world.ts';

/*
 * A world that holds the cells of one player and nothing else. A client steps it to show what its own input will do
 * before the room has answered. It runs the mechanics of a real step, so the two cannot drift apart.
 */

/** The rules that decide what a player's cells do by themselves. Every full snapshot carries them to the client. */
export type OwnCellRules = MovementRules &
  TideRules &
  Pick<Rules, 'maxCellsPerPlayer' | 'merging'> & {
    readonly eating: Pick<Rules['eating'], 'preyDepth'>;
    readonly splitting: Pick<Rules['splitting'], 'minMass' | 'launchSpeed' | 'noPushSeconds' | 'maxQueued'>;
    readonly ejecting: Pick<Rules['ejecting'], 'minMass' | 'yieldMass' | 'cooldownSeconds' | 'launchSpeed'>;
  };

/** Nothing here is random. */
const NO_KEY = new Uint8Array(32);

/** The slot of the only player. */
export const OWN_PLAYER = 0;

export function createOwnWorld(rules: OwnCellRules): World {
  const world = emptyWorld(
    NO_KEY,
    {
      ...standardRules,
      ...rules,
      cells: { ...standardRules.cells, ...rules.cells },
      eating: { ...standardRules.eating, ...rules.eating },
      steering: { ...standardRules.steering, ...rules.steering },
      ejecting: { ...standardRules.ejecting, ...rules.ejecting, maxEjected: 0 },
      food: { ...standardRules.food, count: 0 },
      // Where the water is, the client is told.
      tide: { ...standardRules.tide, ...rules.tide, leastSize: 0 },
      viruses: { ...standardRules.viruses, count: 0, maxCount: 0 },
      maxPlayers: 1,
    },
    0n,
  );
  addPlayer(world.players, 0n, false);
  return world;
}

/** The part of a step that does not depend on anybody else. */
export function stepOwnCells(world: World): void {
  splitQueued(world);
  steerCells(world);
  driftBodies(world);
  settleSiblings(world);
  moveTide(world.tide, world.rules, world.clock.tick);
  keepCellsInside(world);
  updateCentres(world);
  world.clock.tick++;
}

/** Returns a function that makes `to` equal to `from`. Both must have the same rules. */
export function copierOf(from: World, to: World): () => void {
  const copyBodies = sectionCopier(from.bodies, to.bodies);
  const copyPlayers = sectionCopier(from.players, to.players);
  return () => {
    copyBodies();
    copyPlayers();
    to.clock.tick = from.clock.tick;
    Object.assign(to.tide, from.tide);
  };
}

function sectionCopier<Section extends object>(from: Section, to: Section): () => void {
  const names = Object.keys(from) as (keyof Section)[];
  const arrays = names.filter((name) => ArrayBuffer.isView(from[name]));
  const numbers = names.filter((name) => !ArrayBuffer.isView(from[name]));
  const pairs = arrays.map((name) => [from[name], to[name]] as unknown as [Uint8Array, Uint8Array]);
  return () => {
    for (const [source, target] of pairs) target.set(source);
    for (const name of numbers) to[name] = from[name];
  };
}
