import { massToRadius, type SizeLaw } from '@engulf/sim/size';

/** For a page without the server's configuration. A lighter cell cannot burst on a virus. */
export const VIRUS_DEPTH_MASS = 130;

/** The depth of a cell is its radius. Viruses lie just below the cells of this mass. */
export function virusDepthOf(law: SizeLaw, mass: number): number {
  return massToRadius(law, mass) - 1e-3;
}
