import { playerZoom, REFERENCE_SCREEN } from '@engulf/netcode/camera';
import { primaryCell } from '@engulf/sim/cells';
import { isInvulnerable } from '@engulf/sim/players';
import { MILLI } from '@engulf/sim/rules';
import type { World } from '@engulf/sim/world';

/** Everybody who lives at a moment, as numbers: the largest cell, the pointer, the view. Rows are reused. */
export type Row = {
  slot: number;
  /** An index of accounts; -1 for a bot of the project. */
  account: number;
  x: number;
  y: number;
  radius: number;
  massMilli: number;
  /** Where the pointer is from the largest cell, as a direction. */
  aimX: number;
  aimY: number;
  halfWidth: number;
  halfHeight: number;
  centreX: number;
  centreY: number;
  isInvulnerable: boolean;
};

/** Reads who lives. `accountOf` is by slot. */
export function readRoster(world: World, accountOf: Int32Array, rows: Row[]): number {
  const { players, bodies, clock } = world;
  let count = 0;
  for (let slot = 0; slot < players.top; slot++) {
    if (!players.isAlive[slot] || players.cellCount[slot] === 0) continue;
    rows[count] ??= {} as Row;
    const row = rows[count++]!;
    const cell = primaryCell(world, slot);
    row.slot = slot;
    row.account = players.isBot[slot] ? -1 : accountOf[slot]!;
    row.x = bodies.x[cell]!;
    row.y = bodies.y[cell]!;
    row.radius = bodies.radius[cell]!;
    row.massMilli = bodies.massMilli[cell]!;
    row.centreX = players.centreX[slot]!;
    row.centreY = players.centreY[slot]!;
    const aimX = row.centreX + players.offsetX[slot]! - row.x;
    const aimY = row.centreY + players.offsetY[slot]! - row.y;
    const length = Math.sqrt(aimX * aimX + aimY * aimY);
    row.aimX = length > 1 ? aimX / length : 0;
    row.aimY = length > 1 ? aimY / length : 0;
    const zoom = playerZoom(players.massMilli[slot]! / MILLI);
    row.halfWidth = REFERENCE_SCREEN.widthPx / zoom / 2;
    row.halfHeight = REFERENCE_SCREEN.heightPx / zoom / 2;
    row.isInvulnerable = isInvulnerable(players, slot, clock.tick);
  }
  return count;
}

/** Whether any part of one player's largest cell is on the other's screen, or within a margin of it. */
export function isInView(from: Row, to: Row, margin = 0): boolean {
  const reach = to.radius + margin;
  return (
    Math.abs(to.x - from.centreX) < from.halfWidth + reach &&
    Math.abs(to.y - from.centreY) < from.halfHeight + reach
  );
}
