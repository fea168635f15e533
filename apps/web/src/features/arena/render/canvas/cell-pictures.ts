import type { Flesh } from '../textures/flesh-textures.ts';
import { createPictureCache } from './picture-cache.ts';

/** 16 MB: more than a screen full of halos. */
const takeGlow = createPictureCache<HTMLCanvasElement>(4_000_000);

/** Where the light of a halo begins, as a share of the whole. */
const GLOW_FROM = 0.7;
/** The step between two sizes of a halo. It is so soft that the steps are not visible. */
const GLOW_STEP = 1.04;

/** The halo of a cell, in the nearest step. */
export function glowPicture(colour: string, halfPx: number): HTMLCanvasElement {
  const level = Math.round(Math.log(Math.max(1, halfPx)) / Math.log(GLOW_STEP));
  return takeGlow(`${level}${colour}`, () => {
    const half = Math.ceil(GLOW_STEP ** level);
    return paintSquare(2 * half, (context) => {
      const light = context.createRadialGradient(half, half, half * GLOW_FROM, half, half, half);
      light.addColorStop(0, `${colour}66`);
      light.addColorStop(1, `${colour}00`);
      context.fillStyle = light;
      context.fillRect(0, 0, 2 * half, 2 * half);
    });
  });
}

const patterns = new WeakMap<HTMLCanvasElement, CanvasPattern>();

/** The plasma of a cell, as a style to fill it with. */
export function plasmaPattern(
  context: CanvasRenderingContext2D,
  flesh: Flesh,
  radius: number,
  radiusPx: number,
): CanvasPattern {
  const level = levelFor(flesh, radiusPx);
  const from = shrunk(flesh, level);
  let pattern = patterns.get(from);
  if (!pattern) {
    pattern = context.createPattern(from, 'no-repeat')!;
    patterns.set(from, pattern);
  }
  const scale = (radius / flesh.radiusPx) * 2 ** level;
  const middle = (-from.height / 2) * scale;
  pattern.setTransform({ a: scale, d: scale, e: middle, f: middle });
  return pattern;
}

/** The plasma in full, half and quarter size: shrinking a picture to a fraction would skip most of its pixels. */
const LEVELS = 3;
const shrunken = new WeakMap<Flesh, (HTMLCanvasElement | undefined)[]>();

function levelFor(flesh: Flesh, radiusPx: number): number {
  let level = 0;
  while (level < LEVELS - 1 && radiusPx < flesh.radiusPx / 2 ** (level + 1)) level++;
  return level;
}

function shrunk(flesh: Flesh, level: number): HTMLCanvasElement {
  if (level === 0) return flesh.canvas;
  let known = shrunken.get(flesh);
  if (!known) {
    known = [];
    shrunken.set(flesh, known);
  }
  const side = 2 * flesh.centrePx;
  const smallerSide = Math.round(side / 2 ** level);
  known[level] ??= paintSquare(smallerSide, (context) => {
    context.imageSmoothingQuality = 'high';
    context.drawImage(flesh.canvas, 0, 0, side, side, 0, 0, smallerSide, smallerSide);
  });
  return known[level]!;
}

function paintSquare(sidePx: number, paint: (context: CanvasRenderingContext2D) => void): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = sidePx;
  canvas.height = sidePx;
  paint(canvas.getContext('2d')!);
  return canvas;
}
