import { INK, seededRandom, withAlpha } from '../../../../art/paint.ts';
import { type Camera, toScreenX, toScreenY } from '../../model/frame/camera.ts';
import type { Frame } from '../../model/frame/frame.ts';

/*
 * The water around the dry part of the arena, for both renderers: tiles that they repeat, and where things are on the
 * screen. It is dark in either theme, so that nobody takes it for ground.
 */

export type Edges = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};

/** What is repeated, with the length of its sides in pixels. */
export const TILES = {
  /** Ripples on the dark. */
  water: { sidePx: 256, paint: paintWater },
  /** What drifts in it. */
  drift: { sidePx: 420, paint: paintDrift },
  /** Over ground that the water is about to take. */
  hatch: { sidePx: 34, paint: paintHatch },
} as const;
export type TileName = keyof typeof TILES;

const WATER = {
  dark: { ground: '#03100F', ripple: 'rgba(120,214,196,.10)', drift: '#8FE3CF' },
  light: { ground: '#23403D', ripple: 'rgba(214,244,236,.13)', drift: '#D6F4EC' },
} as const;

/** Around the shore, from the outside in: how far it reaches, and how strong it is. */
export const SHALLOWS = [
  [64, 0.07],
  [38, 0.09],
  [18, 0.14],
] as const;
export const SHALLOWS_COLOUR = '#6FD3BE';

/** A smaller change is not worth a line. */
const WORTH_A_LINE = 40;

/** The square of a size around the middle of the world. */
export function squareOnScreen({ camera, worldSize }: Frame, size: number): Edges {
  const near = (worldSize - size) / 2;
  const far = worldSize - near;
  return {
    left: toScreenX(camera, near),
    top: toScreenY(camera, near),
    right: toScreenX(camera, far),
    bottom: toScreenY(camera, far),
  };
}

/** Where the water is heading, if it moves or will. */
export function goalOnScreen(frame: Frame): Edges | undefined {
  const { size, goal } = frame.tide;
  return Math.abs(goal - size) > WORTH_A_LINE ? squareOnScreen(frame, goal) : undefined;
}

/** How far the tiles have drifted, in pixels. */
export function driftOf(name: TileName, nowMs: number, hasMotion: boolean): { x: number; y: number } {
  if (!hasMotion || name === 'hatch') return { x: 0, y: 0 };
  const seconds = nowMs / 1000;
  return name === 'water'
    ? { x: 5 * seconds, y: 4 * Math.sin(seconds / 3) }
    : { x: 13 * seconds, y: 9 * Math.sin(seconds / 4.3) - 4 * seconds };
}

/** The shallows breathe like a shore. */
export function swellOf(nowMs: number, hasMotion: boolean): number {
  return hasMotion ? 1 + 0.12 * Math.sin(nowMs / 1_100) : 1;
}

type PlaceRect = (index: number, x: number, y: number, width: number, height: number) => void;

/** The parts of the screen outside a square: left and right of it, above and below. A part may have no area. */
export function placeOutside(camera: Camera, square: Edges, place: PlaceRect): void {
  placeBetween({ left: 0, top: 0, right: camera.widthPx, bottom: camera.heightPx }, square, place);
}

/** The same between two squares. */
export function placeBetween(outer: Edges, inner: Edges, place: PlaceRect): void {
  const put = (index: number, x0: number, y0: number, x1: number, y1: number) =>
    place(index, x0, y0, Math.max(0, x1 - x0), Math.max(0, y1 - y0));
  put(0, outer.left, outer.top, inner.left, outer.bottom);
  put(1, inner.right, outer.top, outer.right, outer.bottom);
  const left = Math.max(outer.left, inner.left);
  const right = Math.min(outer.right, inner.right);
  put(2, left, outer.top, right, inner.top);
  put(3, left, inner.bottom, right, outer.bottom);
}

const DASH = { lengthPx: 26, gapPx: 18, widthPx: 4 } as const;

/** A dashed line along a square, as rectangles in sight. */
export function placeDashes(
  { widthPx, heightPx }: Camera,
  { left, top, right, bottom }: Edges,
  place: (x: number, y: number, width: number, height: number) => void,
): void {
  const { lengthPx, gapPx, widthPx: thick } = DASH;
  const period = lengthPx + gapPx;
  const along = (from: number, to: number, limit: number, put: (at: number, length: number) => void) => {
    const first = from + Math.max(0, Math.floor(-from / period)) * period;
    for (let at = first; at < Math.min(to, limit); at += period) put(at, Math.min(lengthPx, to - at));
  };
  for (const y of [top, bottom]) {
    if (y < -thick || y > heightPx + thick) continue;
    along(left, right, widthPx, (at, length) => place(at, y - thick / 2, length, thick));
  }
  for (const x of [left, right]) {
    if (x < -thick || x > widthPx + thick) continue;
    along(top, bottom, heightPx, (at, length) => place(x - thick / 2, at, thick, length));
  }
}

export function dashColour(isDark: boolean): string {
  return isDark ? '#F5F2E7' : INK;
}
export const DASH_ALPHA = 0.72;

/** Fills the whole canvas of the context with one tile that can be repeated. */
function paintWater(context: CanvasRenderingContext2D, isDark: boolean): void {
  const { ground, ripple } = isDark ? WATER.dark : WATER.light;
  const side = context.canvas.width;
  const unit = side / TILES.water.sidePx;
  context.fillStyle = ground;
  context.fillRect(0, 0, side, side);
  context.strokeStyle = ripple;
  context.lineCap = 'round';
  const random = seededRandom(5);
  for (let i = 0; i < 11; i++) {
    const [x, y] = [random() * side, random() * side];
    const [length, height] = [(26 + random() * 46) * unit, (3 + random() * 4) * unit];
    context.lineWidth = (1.2 + random() * 1.6) * unit;
    repeatAround(side, (dx, dy) => {
      context.beginPath();
      context.moveTo(x + dx, y + dy);
      for (const turn of [1, -1]) {
        const from = x + dx + (turn === 1 ? 0 : length / 2);
        context.quadraticCurveTo(from + length / 4, y + dy - turn * height, from + length / 2, y + dy);
      }
      context.stroke();
    });
  }
}

/** Bubbles, spores and threads of weed. */
function paintDrift(context: CanvasRenderingContext2D, isDark: boolean): void {
  const { drift } = isDark ? WATER.dark : WATER.light;
  const side = context.canvas.width;
  const unit = side / TILES.drift.sidePx;
  const random = seededRandom(12);
  context.clearRect(0, 0, side, side);
  context.lineCap = 'round';
  for (let i = 0; i < 17; i++) {
    const [x, y] = [random() * side, random() * side];
    const radius = (2.5 + random() * 8) * unit;
    const alpha = 0.1 + random() * 0.14;
    const turn = random() * 2 * Math.PI;
    repeatAround(side, (dx, dy) => {
      context.save();
      context.translate(x + dx, y + dy);
      context.rotate(turn);
      if (i % 3 === 0) paintBubble(context, radius, withAlpha(drift, alpha), unit);
      else if (i % 3 === 1) paintSpore(context, radius * 0.8, withAlpha(drift, alpha * 0.8));
      else paintWeed(context, radius * 3.4, withAlpha(drift, alpha * 0.7), unit);
      context.restore();
    });
  }
}

function paintBubble(context: CanvasRenderingContext2D, radius: number, colour: string, unit: number): void {
  context.strokeStyle = colour;
  context.lineWidth = 1.5 * unit;
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.stroke();
  context.beginPath();
  context.arc(0, 0, radius * 0.6, 3.6, 4.7);
  context.stroke();
}

function paintSpore(context: CanvasRenderingContext2D, radius: number, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.ellipse(0, 0, radius * 1.3, radius * 0.8, 0, 0, 2 * Math.PI);
  context.fill();
  context.beginPath();
  context.arc(radius * 1.7, radius * 0.7, radius * 0.34, 0, 2 * Math.PI);
  context.fill();
}

function paintWeed(context: CanvasRenderingContext2D, length: number, colour: string, unit: number): void {
  context.strokeStyle = colour;
  context.lineWidth = 2 * unit;
  context.beginPath();
  context.moveTo(-length / 2, 0);
  context.bezierCurveTo(-length / 5, -length / 3, length / 5, length / 3, length / 2, 0);
  context.stroke();
}

/** Lines on nothing. */
function paintHatch(context: CanvasRenderingContext2D, isDark: boolean): void {
  const side = context.canvas.width;
  context.clearRect(0, 0, side, side);
  context.strokeStyle = isDark ? 'rgba(111,211,190,.17)' : 'rgba(21,60,54,.2)';
  // Measured across a diagonal line, the width shrinks by √2.
  context.lineWidth = (10 / TILES.hatch.sidePx / Math.SQRT2) * side;
  context.beginPath();
  for (const shift of [-side, 0, side]) {
    context.moveTo(shift - side, 2 * side);
    context.lineTo(shift + 2 * side, -side);
  }
  context.stroke();
}

/** What crosses an edge of a tile comes in again on the other side. */
function repeatAround(side: number, paint: (dx: number, dy: number) => void): void {
  for (const dx of [-side, 0, side]) for (const dy of [-side, 0, side]) paint(dx, dy);
}
