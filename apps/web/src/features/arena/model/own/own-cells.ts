import type { PlayerView } from '@engulf/netcode/decode/arena-view';
import { type Bodies, type Body, createBody } from '../playout/bodies.ts';
import type { Pose } from '../playout/motion.ts';
import { createShownError, type ShownError } from './shown-error.ts';

/** One of the own cells: a slot of the predicted world, and how it is shown. */
export type OwnCell = {
  slot: number;
  /** The room's cell; undefined for one that so far exists only in the prediction. */
  viewId: number | undefined;
  /** Under which it is listed among the bodies. */
  key: number;
  readonly body: Body;
  /** As predicted. */
  x: number;
  y: number;
  radius: number;
  readonly error: ShownError;
  /** By how much the prediction turned out to be wrong since the last update. */
  correctedX: number;
  correctedY: number;
};

/** By slot. */
export type OwnCells = Map<number, OwnCell>;

/** An own cell as the room has it. */
export type SeenCell = {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
};

let provisionalKey = 0;

/** Lists its body under a provisional key, until the room's cell is known. */
export function createOwnCell(
  bodies: Bodies,
  player: PlayerView,
  slot: number,
  { x, y, radius }: Readonly<Pose>,
): OwnCell {
  const key = --provisionalKey;
  const look = { kind: 'cell', player, colour: player.colour, isOwn: true } as const;
  const body = createBody({ ...look, id: key, x, y, radius }, 0);
  bodies.set(key, body);
  return {
    slot,
    viewId: undefined,
    key,
    body,
    x,
    y,
    radius,
    error: createShownError(),
    correctedX: 0,
    correctedY: 0,
  };
}

/** Lists a cell's body under the id that the room's cell has now. */
export function relistOwnCell(bodies: Bodies, cell: OwnCell): void {
  if (cell.viewId === undefined || cell.key === cell.viewId) return;
  if (bodies.get(cell.key) === cell.body) bodies.delete(cell.key);
  cell.key = cell.viewId;
  bodies.set(cell.key, cell.body);
}

/** The nearest other cell that is still shown as one of its own. */
export function nearestOwnCell(cells: OwnCells, cell: OwnCell): OwnCell | undefined {
  let nearest: OwnCell | undefined;
  for (const other of cells.values()) {
    if (other === cell || other.body.isMerged) continue;
    if (!nearest || distance(cell, other) < distance(cell, nearest)) nearest = other;
  }
  return nearest;
}

function distance(a: OwnCell, b: OwnCell): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
