import { Container, Graphics, TilingSprite } from 'pixi.js';
import { INK } from '../../../../art/paint.ts';
import { type Camera, toScreenX, toScreenY } from '../../model/frame/camera.ts';
import type { Pass } from '../stage.ts';
import { paintTexture } from '../textures/textures.ts';

const OUTER = '#C7385F';
const INNER = '#FF8FA8';
/** Width and colour, from the outside in. */
export const MEMBRANE = [
  [12, OUTER],
  [4, INNER],
] as const;
export const CORNER_PX = 26;
export const HATCH_PX = 34;
const HATCH_LINE_PX = 10;
const OUTSIDE = {
  dark: { ground: INK, line: 'rgba(214,232,222,.045)' },
  light: { ground: '#BDB398', line: 'rgba(21,32,29,.07)' },
} as const;

/** The border of the arena: a two-tone pink membrane, with hatching outside. */
export function createBorderPass(): Pass {
  const layer = new Container();
  const hatches = {
    dark: paintTexture(HATCH_PX, HATCH_PX, 1, (context) => paintHatch(context, true)),
    light: paintTexture(HATCH_PX, HATCH_PX, 1, (context) => paintHatch(context, false)),
  };
  const outside = Array.from({ length: 4 }, () => new TilingSprite({ texture: hatches.dark }));
  const membrane = new Graphics();
  layer.addChild(...outside, membrane);

  return {
    layer,
    draw({ camera, worldSize }, { look }) {
      membrane.visible = look.showBorder;
      const world = worldOnScreen(camera, worldSize);
      layer.visible = isBorderInSight(camera, world);
      if (!layer.visible) return;
      const { left, top, right, bottom } = world;
      placeOutside(camera, world, (side, x, y, width, height) => {
        const sprite = outside[side]!;
        sprite.visible = width > 0 && height > 0;
        if (!sprite.visible) return;
        sprite.texture = look.isDark ? hatches.dark : hatches.light;
        sprite.position.set(x, y);
        sprite.width = width;
        sprite.height = height;
        sprite.tilePosition.set((left - x) % HATCH_PX, (top - y) % HATCH_PX);
      });
      membrane.clear();
      for (const [width, color] of MEMBRANE) {
        membrane
          .roundRect(left, top, right - left, bottom - top, CORNER_PX)
          .stroke({ width, color, alignment: 0.5 });
      }
    },
    destroy() {
      layer.destroy({ children: true });
      for (const hatch of Object.values(hatches)) hatch.destroy(true);
    },
  };
}

type Edges = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

export function worldOnScreen(camera: Camera, worldSize: number): Edges {
  return {
    left: toScreenX(camera, 0),
    top: toScreenY(camera, 0),
    right: toScreenX(camera, worldSize),
    bottom: toScreenY(camera, worldSize),
  };
}

export function isBorderInSight({ widthPx, heightPx }: Camera, { left, top, right, bottom }: Edges): boolean {
  return (
    left > -CORNER_PX || top > -CORNER_PX || right < widthPx + CORNER_PX || bottom < heightPx + CORNER_PX
  );
}

/** The parts of the screen outside the world: left and right of it, above and below. A part may have no area. */
export function placeOutside(
  { widthPx, heightPx }: Camera,
  { left, top, right, bottom }: Edges,
  place: (side: number, x: number, y: number, width: number, height: number) => void,
): void {
  const put = (side: number, x0: number, y0: number, x1: number, y1: number) =>
    place(side, x0, y0, Math.max(0, x1 - x0), Math.max(0, y1 - y0));
  put(0, 0, 0, left, heightPx);
  put(1, right, 0, widthPx, heightPx);
  put(2, left, 0, right, top);
  put(3, left, bottom, right, heightPx);
}

/** Fills the whole canvas of the context with one tile. */
export function paintHatch(context: CanvasRenderingContext2D, isDark: boolean): void {
  const { ground, line } = isDark ? OUTSIDE.dark : OUTSIDE.light;
  const side = context.canvas.width;
  context.fillStyle = ground;
  context.fillRect(0, 0, side, side);
  context.strokeStyle = line;
  // Measured across a diagonal line, the width shrinks by √2.
  context.lineWidth = (HATCH_LINE_PX / HATCH_PX / Math.SQRT2) * side;
  context.beginPath();
  for (const shift of [-side, 0, side]) {
    context.moveTo(shift - side, 2 * side);
    context.lineTo(shift + 2 * side, -side);
  }
  context.stroke();
}
