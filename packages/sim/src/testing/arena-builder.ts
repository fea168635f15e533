import { addCell, changeCellMass, updateCentres } from '../cells.ts';
import { applyCommand, type Command } from '../commands.ts';
import { createWorld } from '../create-world.ts';
import type { ArenaEvent } from '../events.ts';
import { numberedKey } from '../keys.ts';
import { findPlayer, type PlayerId } from '../players.ts';
import { MILLI, type Rules, rulesBeforeTide, standardRules } from '../rules.ts';
import { step } from '../step.ts';
import type { World } from '../world.ts';

/**
 * The standard rules in a small world without food, viruses, portals, decay or tide: nothing happens by itself. A cell of
 * mass 100 has radius 100, so that a test can be read.
 */
export const quietRules: Rules = {
  ...standardRules,
  ...rulesBeforeTide,
  steering: { ...standardRules.steering, speed: 2200, radiusExponent: -0.44 },
  worldSize: 3000,
  maxPlayers: 12,
  food: { ...standardRules.food, count: 0, respawnPerSecond: 0 },
  viruses: { ...standardRules.viruses, count: 0 },
  cells: { ...standardRules.cells, decayPerSecond: 0 },
  portals: { ...standardRules.portals, idleSeconds: 100_000, borderDistance: 300, spacing: 600 },
};

/** Small and crowded, so that everything happens within a few hundred steps. */
export const crowdedRules: Rules = {
  ...standardRules,
  worldSize: 1400,
  maxPlayers: 10,
  spawn: { ...standardRules.spawn, mass: 60, invulnerableSeconds: 0.4 },
  food: { ...standardRules.food, count: 120, respawnPerSecond: 400 },
  viruses: {
    ...standardRules.viruses,
    count: 6,
    maxCount: 12,
    feedsToShoot: 2,
    shotMass: 20,
    respawnPerSecond: 5,
    clearance: 60,
  },
  merging: { minSeconds: 0.5, maxSeconds: 2, secondsPerMass: 0.01 },
  cells: { ...standardRules.cells, maxMass: 900 },
  ejecting: { ...standardRules.ejecting, lifetimeSeconds: 3, maxEjected: 40 },
  portals: {
    ...standardRules.portals,
    idleSeconds: 0.8,
    warningSeconds: 0.4,
    activeSeconds: 2,
    radius: 120,
    disappearingSeconds: 0.2,
    borderDistance: 200,
    spacing: 400,
  },
  departure: { graceSeconds: 1 },
  closing: { portalsOpenSeconds: 1 },
};

export function quietWorld(changes: Partial<Rules> = {}): World {
  return createWorld({ key: numberedKey(1), rules: { ...quietRules, ...changes } });
}

export type Placement = {
  readonly x: number;
  readonly y: number;
  readonly mass: number;
  readonly stake?: bigint;
  readonly isInvulnerable?: boolean;
};

/** Joins a player and puts its one cell where the test wants it. */
export function place(
  world: World,
  { x, y, mass, stake = 1000n, isInvulnerable = false }: Placement,
): PlayerId {
  const applied = applyCommand(world, { type: 'join', stake });
  if (!applied.ok || applied.player === undefined) throw new Error('The test world is full');
  const slot = findPlayer(world.players, applied.player);
  const cell = cellsOf(world, applied.player)[0]!;
  changeCellMass(world, cell, mass * MILLI - world.bodies.massMilli[cell]!);
  world.bodies.x[cell] = x;
  world.bodies.y[cell] = y;
  if (!isInvulnerable) world.players.invulnerableUntilTick[slot] = 0;
  updateCentres(world);
  return applied.player;
}

/** Gives a player one more cell, which does not merge by itself. */
export function placeSibling(world: World, player: PlayerId, x: number, y: number, mass: number): number {
  const cell = addCell(world, findPlayer(world.players, player), x, y, mass * MILLI);
  world.bodies.mergeTick[cell] = 1_000_000;
  updateCentres(world);
  return cell;
}

export function cellsOf(world: World, player: PlayerId): number[] {
  const slot = findPlayer(world.players, player);
  if (slot < 0) return [];
  const first = slot * world.rules.maxCellsPerPlayer;
  return [...world.players.cells.subarray(first, first + world.players.cellCount[slot]!)];
}

export function massOf(world: World, player: PlayerId): number {
  const slot = findPlayer(world.players, player);
  return slot < 0 ? 0 : world.players.massMilli[slot]! / MILLI;
}

export function bountyOf(world: World, player: PlayerId): bigint {
  const slot = findPlayer(world.players, player);
  return slot < 0 ? 0n : world.players.bounty[slot]!;
}

export function isAlive(world: World, player: PlayerId): boolean {
  return findPlayer(world.players, player) >= 0;
}

/** Applies a command that the test expects to be accepted. */
export function order(world: World, command: Command): void {
  const applied = applyCommand(world, command);
  if (!applied.ok) throw new Error(`${command.type} was refused: ${applied.refusal}`);
}

export function run(world: World, steps: number): ArenaEvent[] {
  const events: ArenaEvent[] = [];
  for (let i = 0; i < steps; i++) events.push(...step(world));
  return events;
}

export function ofType<T extends ArenaEvent['type']>(
  events: readonly ArenaEvent[],
  type: T,
): Extract<ArenaEvent, { type: T }>[] {
  return events.filter((event): event is Extract<ArenaEvent, { type: T }> => event.type === type);
}
