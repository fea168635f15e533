import { drawPlasmaPicture } from '../../../../art/draw-cell.ts';
import { type Flesh, PLASMA } from '../textures/flesh-textures.ts';
import { createPictureCache } from './picture-cache.ts';

type Plasma = {
  readonly pattern: CanvasPattern;
  readonly width: number;
  readonly height: number;
};

const RADII_PX = [PLASMA.radiusPx / 4, PLASMA.radiusPx / 2, PLASMA.radiusPx, PLASMA.radiusPx * 2] as const;
/** 48 MB, for the largest size in eight colours. Few screens have room for more cells of that size. */
const takePlasma = createPictureCache<Plasma>(12_000_000);

/**
 * Fills the current path with the plasma of a cell. The picture is the next larger of a few, shrunk without smoothing:
 * that takes a quarter of the time, and plasma is soft enough.
 */
export function fillPlasma(
  context: CanvasRenderingContext2D,
  flesh: Flesh,
  radius: number,
  radiusPx: number,
  rule?: CanvasFillRule,
): void {
  const sizePx = RADII_PX.find((each) => each >= radiusPx) ?? RADII_PX.at(-1)!;
  const { pattern, width } = takePlasma(`${sizePx}${flesh.colours.join()}`, () => paintPlasma(flesh, sizePx));
  const scale = radius / sizePx;
  const middle = (-width / 2) * scale;
  pattern.setTransform({ a: scale, d: scale, e: middle, f: middle });
  context.fillStyle = pattern;
  context.imageSmoothingEnabled = false;
  context.fill(rule);
  context.imageSmoothingEnabled = true;
}

function paintPlasma({ colours, seed }: Flesh, radiusPx: number): Plasma {
  const canvas = document.createElement('canvas');
  const side = Math.ceil(2 * PLASMA.reach * radiusPx);
  canvas.width = side;
  canvas.height = side;
  // Without transparency, and repeated though it covers its cell: either saves time whenever it is used.
  const context = canvas.getContext('2d', { alpha: false })!;
  const scale = radiusPx / PLASMA.radiusPx;
  // What there is in a picture depends on its radius, and should be the same in all sizes.
  context.scale(scale, scale);
  const middle = side / scale / 2;
  drawPlasmaPicture(context, { x: middle, y: middle, r: PLASMA.radiusPx, colours, seed }, 2 * middle);
  return { pattern: context.createPattern(canvas, 'repeat')!, width: side, height: side };
}
