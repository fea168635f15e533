/** Where the light begins, as a share of the whole. */
const FROM = 0.7;
/** Sizes differ by so much. The halo is soft: nobody sees it grow in steps. */
const STEP = 1.04;
/** All pictures together, in pixels: 12 MB. */
const MAX_PIXELS = 3_000_000;

const pictures = new Map<string, HTMLCanvasElement>();
let pixels = 0;

/** The halo of a cell, in its size or a little more or less. Those that were not used for longest are let go. */
export function glowPicture(colour: string, halfPx: number): HTMLCanvasElement {
  const level = Math.round(Math.log(Math.max(1, halfPx)) / Math.log(STEP));
  const key = `${level}${colour}`;
  let picture = pictures.get(key);
  if (picture) pictures.delete(key);
  else {
    picture = paintGlow(colour, Math.ceil(STEP ** level));
    pixels += picture.width * picture.height;
  }
  // A map keeps the order of insertion: the last used comes last.
  pictures.set(key, picture);
  for (const [oldest, { width, height }] of pictures) {
    if (pixels <= MAX_PIXELS || oldest === key) break;
    pictures.delete(oldest);
    pixels -= width * height;
  }
  return picture;
}

function paintGlow(colour: string, half: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = 2 * half;
  canvas.height = 2 * half;
  const context = canvas.getContext('2d')!;
  const light = context.createRadialGradient(half, half, half * FROM, half, half, half);
  light.addColorStop(0, `${colour}66`);
  light.addColorStop(1, `${colour}00`);
  context.fillStyle = light;
  context.fillRect(0, 0, 2 * half, 2 * half);
  return canvas;
}
