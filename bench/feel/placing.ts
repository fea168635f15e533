import { changeCellMass, updateCentres } from '@engulf/sim/cells';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { MILLI } from '@engulf/sim/rules';
import type { World } from '@engulf/sim/world';

/** Puts a player with one cell somewhere, and makes it as heavy as wanted. */
export function place(world: World, player: PlayerId, x: number, y: number, mass: number): void {
  const { bodies, players, rules } = world;
  const cell = players.cells[findPlayer(players, player) * rules.maxCellsPerPlayer]!;
  bodies.x[cell] = x;
  bodies.y[cell] = y;
  changeCellMass(world, cell, mass * MILLI - bodies.massMilli[cell]!);
  updateCentres(world);
}
