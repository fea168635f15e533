import { Container, Graphics, TilingSprite } from 'pixi.js';
import { INK } from '../../../../art/paint.ts';
import { type Camera, toScreenX, toScreenY } from '../../model/camera.ts';
import type { Pass } from '../stage.ts';
import { paintTexture } from '../textures/textures.ts';

const OUTER = '#C7385F';
const INNER = '#FF8FA8';
const MEMBRANE_PX = { outer: 12, inner: 4 } as const;
const CORNER_PX = 26;
const HATCH_PX = 34;
const HATCH_LINE_PX = 10;
const OUTSIDE = {
  dark: { ground: INK, line: 'rgba(214,232,222,.045)' },
  light: { ground: '#BDB398', line: 'rgba(21,32,29,.07)' },
} as const;

/** The border of the arena: a two-tone pink membrane, with hatching outside. */
export function createBorderPass(): Pass {
  const layer = new Container();
  const hatches = {
    dark: paintTexture(HATCH_PX, HATCH_PX, 1, (context) => paintHatch(context, OUTSIDE.dark)),
    light: paintTexture(HATCH_PX, HATCH_PX, 1, (context) => paintHatch(context, OUTSIDE.light)),
  };
  const outside = Array.from({ length: 4 }, () => new TilingSprite({ texture: hatches.dark }));
  const membrane = new Graphics();
  layer.addChild(...outside, membrane);

  return {
    layer,
    draw({ camera, worldSize }, { look }) {
      membrane.visible = look.showBorder;
      const left = toScreenX(camera, 0);
      const top = toScreenY(camera, 0);
      const right = toScreenX(camera, worldSize);
      const bottom = toScreenY(camera, worldSize);
      const { widthPx, heightPx } = camera;
      layer.visible = left > -CORNER_PX || top > -CORNER_PX || isEdgeBefore(camera, right, bottom);
      if (!layer.visible) return;
      for (const sprite of outside) sprite.texture = look.isDark ? hatches.dark : hatches.light;
      cover(outside[0]!, 0, 0, left, heightPx, left, top);
      cover(outside[1]!, right, 0, widthPx, heightPx, left, top);
      cover(outside[2]!, left, 0, right, top, left, top);
      cover(outside[3]!, left, bottom, right, heightPx, left, top);
      membrane.clear();
      for (const [width, color] of [
        [MEMBRANE_PX.outer, OUTER],
        [MEMBRANE_PX.inner, INNER],
      ] as const) {
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

function isEdgeBefore({ widthPx, heightPx }: Camera, right: number, bottom: number): boolean {
  return right < widthPx + CORNER_PX || bottom < heightPx + CORNER_PX;
}

/** Covers a part of the screen with hatching that moves with the world. */
function cover(
  sprite: TilingSprite,
  left: number,
  top: number,
  right: number,
  bottom: number,
  originX: number,
  originY: number,
): void {
  sprite.visible = right > left && bottom > top;
  if (!sprite.visible) return;
  sprite.position.set(left, top);
  sprite.width = right - left;
  sprite.height = bottom - top;
  sprite.tilePosition.set((originX - left) % HATCH_PX, (originY - top) % HATCH_PX);
}

function paintHatch(
  context: CanvasRenderingContext2D,
  { ground, line }: { readonly ground: string; readonly line: string },
): void {
  context.fillStyle = ground;
  context.fillRect(0, 0, HATCH_PX, HATCH_PX);
  context.strokeStyle = line;
  // Measured across a diagonal line, the width shrinks by √2.
  context.lineWidth = HATCH_LINE_PX / Math.SQRT2;
  context.beginPath();
  for (const shift of [-HATCH_PX, 0, HATCH_PX]) {
    context.moveTo(shift - HATCH_PX, 2 * HATCH_PX);
    context.lineTo(shift + 2 * HATCH_PX, -HATCH_PX);
  }
  context.stroke();
}
