import type { Container } from 'pixi.js';
import { borderThickness } from '../../../../art/membrane.ts';
import type { Flesh } from '../textures/flesh-textures.ts';

/** A piece of a cell with a membrane along one edge. Points are x and y in turn, in world units from the centre. */
export type FleshShape = {
  readonly flesh: Flesh;
  /** Of the whole cell: it decides the size of the plasma and the thickness of the membrane. */
  readonly radius: number;
  /** The edge with the membrane. */
  readonly outline: Float32Array;
  /** The other edge. Without one, the outline goes around the whole cell. */
  readonly outer?: Float32Array | undefined;
  readonly pxPerUnit: number;
  readonly isOwn: boolean;
  readonly hasGlow: boolean;
};

export type MembraneView = {
  readonly view: Container;
  draw(shape: FleshShape): void;
};

export function membraneWidthPx(radiusPx: number): number {
  // Below the usual minimum if the whole cell is smaller than that.
  return Math.min(borderThickness(radiusPx) * 1.05, radiusPx * 0.3);
}
