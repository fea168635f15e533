import type { Frame } from '../../model/frame/frame.ts';
import {
  CORNER_PX,
  HATCH_PX,
  isBorderInSight,
  MEMBRANE,
  paintHatch,
  placeOutside,
  worldOnScreen,
} from '../passes/border-pass.ts';
import type { Pass } from '../stage.ts';
import { createPainted } from './painted.ts';

/** The border of the arena, on the plain canvas. */
export function createPaintedBorder(): Pass {
  const hatching = createHatching();
  let frame: Frame | undefined;
  let isDark = true;
  let hasMembrane = true;
  const layer = createPainted((context, density) => {
    if (!frame) return;
    const { camera, worldSize } = frame;
    const world = worldOnScreen(camera, worldSize);
    const [left, top] = [Math.round(world.left * density), Math.round(world.top * density)];
    const [right, bottom] = [Math.round(world.right * density), Math.round(world.bottom * density)];
    context.fillStyle = hatching(context, density, isDark);
    // A pattern starts at the origin, so the origin moves with the world, by whole pixels.
    context.setTransform(1, 0, 0, 1, left, top);
    placeOutside(camera, world, (_side, x, y, width, height) => {
      const [fromX, fromY] = [Math.round(x * density), Math.round(y * density)];
      const [toX, toY] = [Math.round((x + width) * density), Math.round((y + height) * density)];
      context.fillRect(fromX - left, fromY - top, toX - fromX, toY - fromY);
    });
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (!hasMembrane) return;
    context.beginPath();
    context.roundRect(left, top, right - left, bottom - top, CORNER_PX * density);
    for (const [width, colour] of MEMBRANE) {
      context.lineWidth = width * density;
      context.strokeStyle = colour;
      context.stroke();
    }
  });
  return {
    layer,
    draw(next, { look }) {
      frame = next;
      isDark = look.isDark;
      hasMembrane = look.showBorder;
      layer.visible = isBorderInSight(next.camera, worldOnScreen(next.camera, next.worldSize));
    },
    destroy() {
      layer.destroy();
    },
  };
}

/** One tile, repainted when the density or the theme changes. */
function createHatching() {
  const tile = document.createElement('canvas');
  let pattern: CanvasPattern | undefined;
  let painted = '';
  return (context: CanvasRenderingContext2D, density: number, isDark: boolean): CanvasPattern => {
    const key = `${density} ${isDark}`;
    if (!pattern || key !== painted) {
      painted = key;
      tile.width = Math.round(HATCH_PX * density);
      tile.height = tile.width;
      paintHatch(tile.getContext('2d', { alpha: false })!, isDark);
      pattern = context.createPattern(tile, 'repeat')!;
    }
    return pattern;
  };
}
