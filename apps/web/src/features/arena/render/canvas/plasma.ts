import { drawPlasmaPicture } from '../../../../art/draw-cell.ts';
import { PLAYER_COLOURS } from '../../../../art/palette.ts';
import { type Flesh, type FleshTextures, PLASMA } from '../textures/flesh-textures.ts';
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
  const { pattern, width } = plasmaOf(flesh, sizePx);
  const scale = radius / sizePx;
  const middle = (-width / 2) * scale;
  pattern.setTransform({ a: scale, d: scale, e: middle, f: middle });
  context.fillStyle = pattern;
  context.imageSmoothingEnabled = false;
  context.fill(rule);
  context.imageSmoothingEnabled = true;
}

/** Paints one picture that is missing. Called while the arena is still loading, so that no fight waits for a painter. */
export function createPlasmaPreparer(flesh: FleshTextures): () => void {
  let next = 0;
  return () => {
    if (next < PLAYER_COLOURS.length) plasmaOf(flesh.of(next++), PLASMA.radiusPx);
  };
}

function plasmaOf(flesh: Flesh, radiusPx: number): Plasma {
  return takePlasma(`${radiusPx}${flesh.colours.join()}`, () =>
    radiusPx > PLASMA.radiusPx
      ? enlargePlasma(plasmaOf(flesh, PLASMA.radiusPx), radiusPx)
      : paintPlasma(flesh, radiusPx),
  );
}

function paintPlasma({ colours, seed }: Flesh, radiusPx: number): Plasma {
  const { context, side } = openPlasma(radiusPx);
  const scale = radiusPx / PLASMA.radiusPx;
  // What there is in a picture depends on its radius, and should be the same in all sizes.
  context.scale(scale, scale);
  const middle = side / scale / 2;
  drawPlasmaPicture(context, { x: middle, y: middle, r: PLASMA.radiusPx, colours, seed }, 2 * middle);
  return closePlasma(context);
}

/** Painting the largest size anew would hold up the game for a tenth of a second. */
function enlargePlasma({ pattern, width }: Plasma, radiusPx: number): Plasma {
  const { context, side } = openPlasma(radiusPx);
  pattern.setTransform({ a: side / width, d: side / width });
  context.fillStyle = pattern;
  context.fillRect(0, 0, side, side);
  return closePlasma(context);
}

function openPlasma(radiusPx: number): { context: CanvasRenderingContext2D; side: number } {
  const canvas = document.createElement('canvas');
  const side = Math.ceil(2 * PLASMA.reach * radiusPx);
  canvas.width = side;
  canvas.height = side;
  // Without transparency, and repeated though it covers its cell: either saves time whenever it is used.
  return { context: canvas.getContext('2d', { alpha: false })!, side };
}

function closePlasma(context: CanvasRenderingContext2D): Plasma {
  const { width, height } = context.canvas;
  return { pattern: context.createPattern(context.canvas, 'repeat')!, width, height };
}
