import { BODY } from '@engulf/sim/bodies';
import { primaryCell } from '@engulf/sim/cells';
import { FINE_PER_UNIT } from '../format/tracks.ts';
import { NOBODY, type Viewer } from '../view.ts';
import { type ArenaFrame, squareIndex } from './arena-frame.ts';
import type { ViewStream } from './view-stream.ts';

/*
 * While a message is written, every body has a mark: `frame.mark` if the receiver tracks it, `frame.mark + 1` if it is in
 * view, and anything less if neither. Each message takes the next two, so that nothing has to be cleared.
 */

const MARKS_PER_MESSAGE = 2;
const MAX_MARK = 2 ** 30;

/**
 * Marks the bodies in view, lists in `frame.added` those that the receiver does not track yet, and returns how many
 * those are.
 */
export function findVisible(frame: ArenaFrame, stream: ViewStream, viewer: Viewer): number {
  markTracked(frame, stream);
  const { left, right, top, bottom, side, starts, items, maxRadiusFine } = frame;
  const viewLeft = Math.ceil((viewer.centreX - viewer.halfWidth) * FINE_PER_UNIT);
  const viewRight = Math.floor((viewer.centreX + viewer.halfWidth) * FINE_PER_UNIT);
  const viewTop = Math.ceil((viewer.centreY - viewer.halfHeight) * FINE_PER_UNIT);
  const viewBottom = Math.floor((viewer.centreY + viewer.halfHeight) * FINE_PER_UNIT);
  const column0 = squareIndex(viewLeft - maxRadiusFine, side);
  const column1 = squareIndex(viewRight + maxRadiusFine, side);
  const row1 = squareIndex(viewBottom + maxRadiusFine, side);
  let addedCount = 0;
  for (let row = squareIndex(viewTop - maxRadiusFine, side); row <= row1; row++) {
    const end = starts[row * side + column1 + 1]!;
    for (let i = starts[row * side + column0]!; i < end; i++) {
      if (right[i]! < viewLeft || left[i]! > viewRight) continue;
      if (bottom[i]! < viewTop || top[i]! > viewBottom) continue;
      addedCount = markVisible(frame, items[i]!, addedCount);
    }
  }
  return viewer.player === NOBODY ? addedCount : markOwnCells(frame, viewer.player, addedCount);
}

export function isMarkedVisible({ marks, mark }: ArenaFrame, body: number): boolean {
  return marks[body] === mark + 1;
}

/** Whether any of the player's cells is in view. */
export function isPlayerVisible(frame: ArenaFrame, player: number): boolean {
  const { players, rules } = frame.world;
  const first = player * rules.maxCellsPerPlayer;
  for (let i = first; i < first + players.cellCount[player]!; i++) {
    if (isMarkedVisible(frame, players.cells[i]!)) return true;
  }
  return false;
}

/** The player's largest cell; -1 when it has none, or has joined since the frame was captured. */
export function primaryInFrame(frame: ArenaFrame, player: number): number {
  if (frame.world.players.cellCount[player] === 0) return -1;
  const primary = primaryCell(frame.world, player);
  return isInFrame(frame, primary) ? primary : -1;
}

function markOwnCells(frame: ArenaFrame, player: number, alreadyAdded: number): number {
  const { players, rules } = frame.world;
  const first = player * rules.maxCellsPerPlayer;
  let addedCount = alreadyAdded;
  for (let i = first; i < first + players.cellCount[player]!; i++) {
    const cell = players.cells[i]!;
    if (isInFrame(frame, cell) && !isMarkedVisible(frame, cell)) {
      addedCount = markVisible(frame, cell, addedCount);
    }
  }
  return addedCount;
}

function markTracked(frame: ArenaFrame, { count, bodies, generations }: ViewStream): void {
  const { marks, generation } = frame;
  frame.mark += MARKS_PER_MESSAGE;
  if (frame.mark > MAX_MARK) {
    marks.fill(0);
    frame.mark = MARKS_PER_MESSAGE;
  }
  for (let i = 0; i < count; i++) {
    const body = bodies[i]!;
    if (generation[body] === generations[i]) marks[body] = frame.mark;
  }
}

function markVisible({ marks, mark, added }: ArenaFrame, body: number, addedCount: number): number {
  const isTracked = marks[body] === mark;
  marks[body] = mark + 1;
  if (isTracked) return addedCount;
  added[addedCount] = body;
  return addedCount + 1;
}

/** The cell of a player who joined after the capture is in no frame yet. */
function isInFrame(frame: ArenaFrame, body: number): boolean {
  return frame.kind[body] !== BODY.none;
}
