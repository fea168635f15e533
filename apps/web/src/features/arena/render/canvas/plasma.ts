import { drawPlasmaPicture } from '../../../../art/draw-cell.ts';
import { PLAYER_COLOURS } from '../../../../art/palette.ts';
import { type Flesh, type FleshTextures, PLASMA } from '../textures/flesh-textures.ts';
import { createPictureCache } from './picture-cache.ts';

type Plasma = {
  readonly pattern: CanvasPattern;
  readonly width: number;
  readonly height: number;
};

/** Each half as large as the one before. */
const SIZES_PX = [PLASMA.radiusPx, PLASMA.radiusPx / 2, PLASMA.radiusPx / 4] as const;
/** 32 MB: every colour in every size. */
const takePlasma = createPictureCache<Plasma>(8_000_000);

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
  const sizePx = SIZES_PX.findLast((each) => each >= radiusPx) ?? SIZES_PX[0];
  const { pattern, width } = plasmaOf(flesh, sizePx);
  const scale = radius / sizePx;
  const middle = (-width / 2) * scale;
  pattern.setTransform({ a: scale, d: scale, e: middle, f: middle });
  context.fillStyle = pattern;
  context.imageSmoothingEnabled = radiusPx > sizePx;
  context.fill(rule);
  context.imageSmoothingEnabled = true;
}

/** Plasma in the size of a cell, in fine steps: copying takes a fifth of the time of shrinking. Giants share the largest. */
const FITTED = { reach: 1.5, maxRadiusPx: 300, step: 1.02 } as const;
/** 32 MB, about ninety cells of 100 pixels. */
const takeFitted = createPictureCache<Plasma>(8_000_000);
/** Pictures are made one by one, so that no frame waits for many. */
const FIT_EVERY_MS = 30;
let fittedAtMs = 0;

/**
 * Fills the current path with the plasma of a cell around the origin, which must lie on a whole pixel. Returns false if
 * there is no picture that fits, or none yet. `reach`: how far the path goes from the origin, in radii.
 */
export function fillFittedPlasma(
  context: CanvasRenderingContext2D,
  flesh: Flesh,
  radiusPx: number,
  reach: number,
): boolean {
  if (reach > FITTED.reach) return false;
  const fitPx = Math.min(FITTED.maxRadiusPx, Math.max(1, radiusPx));
  const level = Math.round(Math.log(fitPx) / Math.log(FITTED.step));
  const plasma = takeFitted(`${level}${flesh.colours.join()}`, () => fitNext(flesh, FITTED.step ** level));
  if (!plasma) return false;
  const scale = Math.max(1, radiusPx / FITTED.maxRadiusPx);
  const middle = (-plasma.width / 2) * scale;
  plasma.pattern.setTransform({ a: scale, d: scale, e: middle, f: middle });
  context.fillStyle = plasma.pattern;
  // Nothing is smoothed where nothing is stretched, and asking for it is a little faster there.
  context.imageSmoothingEnabled = scale === 1;
  context.fill();
  context.imageSmoothingEnabled = true;
  return true;
}

function fitNext(flesh: Flesh, radiusPx: number): Plasma | undefined {
  const nowMs = performance.now();
  if (nowMs - fittedAtMs < FIT_EVERY_MS) return undefined;
  fittedAtMs = nowMs;
  const { context, side } = openPlasma(FITTED.reach * radiusPx);
  context.translate(side / 2, side / 2);
  context.beginPath();
  context.rect(-side / 2, -side / 2, side, side);
  fillPlasma(context, flesh, radiusPx, radiusPx);
  return closePlasma(context);
}

/**
 * Paints the pictures of one colour that are missing, and returns whether there were any. Called while the arena is still
 * loading, so that no fight waits for a painter.
 */
export function createPlasmaPreparer(flesh: FleshTextures): () => boolean {
  let next = 0;
  return () => {
    if (next === PLAYER_COLOURS.length) return false;
    for (const sizePx of SIZES_PX) plasmaOf(flesh.of(next), sizePx);
    next++;
    return true;
  };
}

function plasmaOf(flesh: Flesh, radiusPx: number): Plasma {
  return takePlasma(`${radiusPx}${flesh.colours.join()}`, () =>
    radiusPx === PLASMA.radiusPx ? paintPlasma(flesh) : halvePlasma(plasmaOf(flesh, 2 * radiusPx), radiusPx),
  );
}

function paintPlasma({ colours, seed }: Flesh): Plasma {
  const { context, side } = openPlasma(PLASMA.reach * PLASMA.radiusPx);
  drawPlasmaPicture(context, { x: side / 2, y: side / 2, r: PLASMA.radiusPx, colours, seed }, side);
  return closePlasma(context);
}

/** Painting each size anew would hold up the game. */
function halvePlasma({ pattern }: Plasma, radiusPx: number): Plasma {
  const { context, side } = openPlasma(PLASMA.reach * radiusPx);
  pattern.setTransform({ a: 0.5, d: 0.5 });
  context.fillStyle = pattern;
  context.fillRect(0, 0, side, side);
  return closePlasma(context);
}

function openPlasma(halfPx: number): { context: CanvasRenderingContext2D; side: number } {
  const canvas = document.createElement('canvas');
  const side = 2 * Math.ceil(halfPx);
  canvas.width = side;
  canvas.height = side;
  // Without transparency, and repeated though it covers its cell: either saves time whenever it is used.
  return { context: canvas.getContext('2d', { alpha: false })!, side };
}

function closePlasma(context: CanvasRenderingContext2D): Plasma {
  const { width, height } = context.canvas;
  return { pattern: context.createPattern(context.canvas, 'repeat')!, width, height };
}
