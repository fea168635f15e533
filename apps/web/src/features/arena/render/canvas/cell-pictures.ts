import { createPictureCache } from './picture-cache.ts';

/** 16 MB: more than a screen full of halos. */
const takeGlow = createPictureCache<HTMLCanvasElement>(4_000_000);

/** Where the light of a halo begins, as a share of the whole. */
const GLOW_FROM = 0.7;
/** The step between two sizes of a halo. It is so soft that the steps are not visible. */
const GLOW_STEP = 1.04;

/** The halo that all sizes of a colour are made from, in pixels from the middle. */
const MASTER_HALF_PX = 200;
/** 16 MB: every colour. */
const takeMaster = createPictureCache<HTMLCanvasElement>(4_000_000);

/** The halo of a cell, in the nearest step. */
export function glowPicture(colour: string, halfPx: number): HTMLCanvasElement {
  const level = Math.round(Math.log(Math.max(1, halfPx)) / Math.log(GLOW_STEP));
  return takeGlow(`${level}${colour}`, () => {
    const side = 2 * Math.ceil(GLOW_STEP ** level);
    return paintSquare(side, (context) => {
      // Faster than painting the gradient again, and as soft.
      context.imageSmoothingEnabled = false;
      context.drawImage(masterGlow(colour), 0, 0, side, side);
    });
  });
}

function masterGlow(colour: string): HTMLCanvasElement {
  const half = MASTER_HALF_PX;
  return takeMaster(colour, () =>
    paintSquare(2 * half, (context) => {
      const light = context.createRadialGradient(half, half, half * GLOW_FROM, half, half, half);
      light.addColorStop(0, `${colour}66`);
      light.addColorStop(1, `${colour}00`);
      context.fillStyle = light;
      context.fillRect(0, 0, 2 * half, 2 * half);
    }),
  );
}

function paintSquare(sidePx: number, paint: (context: CanvasRenderingContext2D) => void): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = sidePx;
  canvas.height = sidePx;
  paint(canvas.getContext('2d')!);
  return canvas;
}
