import type { Frame } from '../../model/frame/frame.ts';
import { CORNER_PX, isShoreInSight, MEMBRANE } from '../passes/border-pass.ts';
import {
  DASH_ALPHA,
  dashColour,
  driftOf,
  type Edges,
  goalOnScreen,
  placeBetween,
  placeDashes,
  placeOutside,
  SHALLOWS,
  SHALLOWS_COLOUR,
  squareOnScreen,
  swellOf,
  TILES,
  type TileName,
} from '../passes/water.ts';
import type { DrawQuality } from '../quality.ts';
import type { Pass } from '../stage.ts';
import { createPainted } from './painted.ts';

/** The shore of the arena and the water, on the plain canvas. */
export function createPaintedBorder(): Pass {
  const tiles = { water: createTile('water'), drift: createTile('drift'), hatch: createTile('hatch') };
  let shown: { readonly frame: Frame; readonly quality: DrawQuality } | undefined;
  const layer = createPainted((context, density) => {
    if (!shown) return;
    const { frame, quality } = shown;
    const { camera, tide, worldSize, nowMs } = frame;
    const { isDark, showBorder } = quality.look;
    const shore = squareOnScreen(frame, tide.size);
    const goal = goalOnScreen(frame);
    const origin = squareOnScreen(frame, worldSize);
    const fill = (name: TileName, from: Edges, place: (put: PutRect) => void) => {
      const drift = driftOf(name, nowMs, quality.hasMotion);
      // A pattern starts at the origin, so the origin moves with the world, by whole pixels.
      const left = Math.round((from.left + drift.x) * density);
      const top = Math.round((from.top + drift.y) * density);
      context.fillStyle = tiles[name](context, density, isDark);
      context.setTransform(1, 0, 0, 1, left, top);
      place((_index, x, y, width, height) => {
        const [fromX, fromY] = [Math.round(x * density), Math.round(y * density)];
        const [toX, toY] = [Math.round((x + width) * density), Math.round((y + height) * density)];
        context.fillRect(fromX - left, fromY - top, toX - fromX, toY - fromY);
      });
      context.setTransform(1, 0, 0, 1, 0, 0);
    };
    fill('water', origin, (put) => placeOutside(camera, shore, put));
    if (quality.hasDetail) fill('drift', origin, (put) => placeOutside(camera, shore, put));
    if (goal && tide.goal < tide.size) fill('hatch', shore, (put) => placeBetween(shore, goal, put));
    strokeShallows(context, density, shore, swellOf(nowMs, quality.hasMotion));
    if (goal) {
      context.fillStyle = dashColour(isDark);
      context.globalAlpha = DASH_ALPHA;
      placeDashes(camera, goal, (x, y, width, height) =>
        context.fillRect(x * density, y * density, width * density, height * density),
      );
      context.globalAlpha = 1;
    }
    if (!showBorder) return;
    roundSquare(context, density, shore, 0);
    for (const [width, colour] of MEMBRANE) {
      context.lineWidth = width * density;
      context.strokeStyle = colour;
      context.stroke();
    }
  });
  return {
    layer,
    draw(frame, quality) {
      shown = { frame, quality };
      const isInSight = isShoreInSight(frame.camera, squareOnScreen(frame, frame.tide.size));
      layer.visible = isInSight || goalOnScreen(frame) !== undefined;
    },
    destroy() {
      layer.destroy();
    },
  };
}

type PutRect = (index: number, x: number, y: number, width: number, height: number) => void;

function strokeShallows(
  context: CanvasRenderingContext2D,
  density: number,
  shore: Edges,
  swell: number,
): void {
  context.strokeStyle = SHALLOWS_COLOUR;
  for (const [reach, alpha] of SHALLOWS) {
    const width = reach * swell;
    roundSquare(context, density, shore, width / 2);
    context.lineWidth = width * density;
    context.globalAlpha = alpha;
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** Begins a path along a square that is wider than the shore by `more` on each side. */
function roundSquare(
  context: CanvasRenderingContext2D,
  density: number,
  { left, top, right, bottom }: Edges,
  more: number,
): void {
  const [x, y] = [Math.round((left - more) * density), Math.round((top - more) * density)];
  const [endX, endY] = [Math.round((right + more) * density), Math.round((bottom + more) * density)];
  context.beginPath();
  context.roundRect(x, y, endX - x, endY - y, (CORNER_PX + more) * density);
}

/** A tile as a pattern, repainted when the density or the theme changes. */
function createTile(name: TileName) {
  const { sidePx, paint } = TILES[name];
  const tile = document.createElement('canvas');
  let pattern: CanvasPattern | undefined;
  let painted = '';
  return (context: CanvasRenderingContext2D, density: number, isDark: boolean): CanvasPattern => {
    const key = `${density} ${isDark}`;
    if (!pattern || key !== painted) {
      painted = key;
      tile.width = Math.round(sidePx * density);
      tile.height = tile.width;
      paint(tile.getContext('2d')!, isDark);
      pattern = context.createPattern(tile, 'repeat')!;
    }
    return pattern;
  };
}
