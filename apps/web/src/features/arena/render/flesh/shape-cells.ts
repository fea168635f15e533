import { type Frame, invulnerableForS } from '../../model/frame/frame.ts';
import { type Body, isLargeEnoughToEat } from '../../model/playout/bodies.ts';
import {
  growNeck,
  keepArea,
  keepVisible,
  makeDent,
  meetCell,
  meetWall,
  openMouth,
  shapeFreely,
  wrapAround,
} from './contacts.ts';
import { createSoftBody, resetSoftBody, type SoftBody, stepSoftBody } from './soft-body.ts';

/** The soft body of one cell, and the cell's velocity in its own radii per second. */
export type CellState = {
  readonly body: SoftBody;
  x: number;
  y: number;
  velocityX: number;
  velocityY: number;
  isPlaced: boolean;
};

/** Prey that was swallowed and is still on its way in, relative to its eater. */
export type Morsel = {
  readonly eater: Body;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
};

const NECK_MS = 460;
const WOBBLE_PERIOD_MS = 2_400;
const VELOCITY_EASE_MS = 60;

export function createCellState(): CellState {
  return {
    body: createSoftBody(),
    x: 0,
    y: 0,
    velocityX: 0,
    velocityY: 0,
    isPlaced: false,
  };
}

export function resetCellState(state: CellState): void {
  resetSoftBody(state.body);
  state.isPlaced = false;
}

/** Moves the membranes of all cells in sight according to what touches them. `stateOf` must know all of them. */
export function shapeCells(
  frame: Frame,
  stateOf: (cell: Body) => CellState,
  morsels: readonly Morsel[],
): void {
  const { cells, nowMs, elapsedMs } = frame;
  for (const cell of cells) {
    const state = stateOf(cell);
    move(state, cell, elapsedMs);
    shapeFreely(
      state.body,
      (nowMs / WOBBLE_PERIOD_MS) * 2 * Math.PI + cell.id * 1.7,
      state.velocityX,
      state.velocityY,
    );
    meetViruses(state.body, cell, frame.viruses);
  }
  // Cells are sorted by size: the second of a pair is the larger one.
  for (let i = 0; i < cells.length; i++) {
    for (let j = i + 1; j < cells.length; j++) {
      const dx = cells[j]!.x - cells[i]!.x;
      const dy = cells[j]!.y - cells[i]!.y;
      const near = (cells[i]!.radius + cells[j]!.radius) * 1.5;
      if (dx * dx + dy * dy < near * near) meet(frame, cells[i]!, cells[j]!, stateOf);
    }
  }
  for (const { eater, x, y, radius } of morsels) {
    const r = eater.radius;
    wrapAround(stateOf(eater).body, x / r, y / r, (radius * 1.28) / r);
  }
  for (const cell of cells) {
    const { body } = stateOf(cell);
    keepVisible(body);
    // The shore yields to nobody, so it comes last.
    meetBorder(body, cell, frame);
    keepArea(body);
    stepSoftBody(body, elapsedMs);
  }
}

function move(state: CellState, cell: Body, elapsedMs: number): void {
  if (state.isPlaced && elapsedMs > 0) {
    const share = 1 - Math.exp(-elapsedMs / VELOCITY_EASE_MS);
    const perSecond = 1000 / elapsedMs / cell.radius;
    state.velocityX += ((cell.x - state.x) * perSecond - state.velocityX) * share;
    state.velocityY += ((cell.y - state.y) * perSecond - state.velocityY) * share;
  } else {
    state.velocityX = 0;
    state.velocityY = 0;
  }
  state.x = cell.x;
  state.y = cell.y;
  state.isPlaced = true;
}

function meetBorder(body: SoftBody, { x, y, radius }: Body, { worldSize, tide }: Frame): void {
  const near = (worldSize - tide.size) / 2;
  const far = worldSize - near;
  meetWall(body, -1, 0, (x - near) / radius);
  meetWall(body, 0, -1, (y - near) / radius);
  meetWall(body, 1, 0, (far - x) / radius);
  meetWall(body, 0, 1, (far - y) / radius);
}

function meetViruses(body: SoftBody, cell: Body, viruses: readonly Body[]): void {
  for (const virus of viruses) {
    if (virus.radius > cell.radius) continue;
    const x = (virus.x - cell.x) / cell.radius;
    const y = (virus.y - cell.y) / cell.radius;
    makeDent(body, x, y, (virus.radius * 1.08) / cell.radius, -0.34);
  }
}

function meet(frame: Frame, small: Body, large: Body, stateOf: (cell: Body) => CellState): void {
  const inSmall = relative(large, small);
  const inLarge = relative(small, large);
  const a = stateOf(small).body;
  const b = stateOf(large).body;
  const isTouching = Math.hypot(inLarge.x, inLarge.y) < 1 + inLarge.radius;
  if (small.player !== undefined && small.player === large.player) {
    const ageMs = frame.nowMs - Math.max(small.shownSinceMs, large.shownSinceMs);
    const overlap = (1 + inSmall.radius - Math.hypot(inSmall.x, inSmall.y)) / 2;
    if (ageMs < NECK_MS || overlap > 0.16) {
      const share = ageMs < NECK_MS ? 1 - (ageMs / NECK_MS) ** 2 : 0.8;
      growNeck(a, inSmall.x, inSmall.y, inSmall.radius, share);
      growNeck(b, inLarge.x, inLarge.y, inLarge.radius, share);
      return;
    }
  } else if (canSwallow(frame, small, large)) {
    if (!isTouching) return;
    openMouth(b, inLarge.x, inLarge.y, inLarge.radius);
    return;
  }
  if (!isTouching) return;
  meetCell(a, inSmall.x, inSmall.y, inSmall.radius);
  meetCell(b, inLarge.x, inLarge.y, inLarge.radius);
}

function relative(other: Body, cell: Body): { x: number; y: number; radius: number } {
  return {
    x: (other.x - cell.x) / cell.radius,
    y: (other.y - cell.y) / cell.radius,
    radius: other.radius / cell.radius,
  };
}

function canSwallow(frame: Frame, small: Body, large: Body): boolean {
  if (!isLargeEnoughToEat(large, small, frame.size)) return false;
  return ![small, large].some(({ player }) => player && invulnerableForS(frame, player) > 0);
}
