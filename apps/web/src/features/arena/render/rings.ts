import type { BodyTexture } from './textures/cell-textures.ts';
import { paintTexture } from './textures/textures.ts';

const RADII_PX = [36, 64, 110, 190, 320] as const;
const DASH_PX = 10;
const GAP_PX = 9;
const LINE_PX = 3;

/** The dashes around somebody who cannot be eaten yet, painted at several sizes so that a dash stays a dash. */
export function createRings() {
  const rings: readonly BodyTexture[] = RADII_PX.map((radiusPx) => {
    const half = radiusPx + LINE_PX;
    const dashes = Math.round((2 * Math.PI * radiusPx) / (DASH_PX + GAP_PX));
    const unit = (2 * Math.PI * radiusPx) / dashes;
    const share = DASH_PX / (DASH_PX + GAP_PX);
    const texture = paintTexture(2 * half, 2 * half, 1, (context) => {
      context.setLineDash([unit * share, unit * (1 - share)]);
      context.lineWidth = LINE_PX;
      context.strokeStyle = 'rgba(245,242,231,.9)';
      context.beginPath();
      context.arc(half, half, radiusPx, 0, 2 * Math.PI);
      context.stroke();
    });
    return { texture, radiusPx };
  });
  return {
    pick(radiusPx: number): BodyTexture {
      return rings.find((ring) => ring.radiusPx * 1.2 >= radiusPx) ?? rings.at(-1)!;
    },
    destroy() {
      for (const { texture } of rings) texture.destroy(true);
    },
  };
}

export type Rings = ReturnType<typeof createRings>;
