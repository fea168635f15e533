import { Container, Sprite, type Texture } from 'pixi.js';
import { type Camera, toScreenX, toScreenY } from '../../model/camera.ts';
import { minimapLabel } from '../../model/map-grid.ts';
import { hasLightGround } from '../look.ts';
import type { Pass } from '../stage.ts';
import { BONE, displayFont } from '../textures/lettering.ts';
import { paintTexture } from '../textures/textures.ts';

const SECTORS = [0, 1, 2, 3, 4] as const;
const FONT_PX = 120;
const ALPHA = 0.07;
/** From afar a field has one label in its middle; up close it has one in each corner. */
const FAR_BELOW_SCALE = 0.5;
const FAR_FONT = { maxPx: 96, shareOfSector: 0.31 } as const;
const CORNER_WORLD = { x: 122, y: 98 } as const;
/** In a smaller field the labels would touch. */
const CORNERS_FROM_WORLD = 900;
const INK_ON_CREAM = 0x15201d;

/** The names of the map's fields, faint on the ground. */
export function createSectorPass(): Pass {
  const layer = new Container();
  layer.alpha = ALPHA;
  const textures: Texture[] = [];
  const sectors = SECTORS.flatMap((row) =>
    SECTORS.map((column) => {
      const label = minimapLabel(column * 1400 + 700, row * 1400 + 700, 7000);
      const texture = paintTexture(FONT_PX * 2, FONT_PX * 1.2, 1, (context) => {
        context.font = displayFont(FONT_PX);
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.fillStyle = BONE;
        context.fillText(label, FONT_PX, FONT_PX * 0.6);
      });
      textures.push(texture);
      const labels = PLACES.map(() => new Sprite({ texture, anchor: 0.5 }));
      layer.addChild(...labels);
      return { row, column, labels };
    }),
  );

  return {
    layer,
    draw({ camera, worldSize }, { look }) {
      const size = worldSize / SECTORS.length;
      const isFar = camera.scale < FAR_BELOW_SCALE;
      const hasCorners = !isFar && size >= CORNERS_FROM_WORLD;
      layer.tint = hasLightGround(look) ? INK_ON_CREAM : 0xffffff;
      const farPx = Math.min(FAR_FONT.maxPx, size * camera.scale * FAR_FONT.shareOfSector);
      const scale = isFar ? farPx / FONT_PX : camera.scale;
      for (const { row, column, labels } of sectors) {
        const centreX = (column + 0.5) * size;
        const centreY = (row + 0.5) * size;
        labels.forEach((label, index) => {
          const [sideX, sideY] = PLACES[index]!;
          const x = centreX + sideX * (size / 2 - CORNER_WORLD.x);
          const y = centreY + sideY * (size / 2 - CORNER_WORLD.y);
          label.visible = (hasCorners || index === 0) && isLabelOnScreen(camera, x, y, scale);
          if (!label.visible) return;
          label.position.set(toScreenX(camera, x), toScreenY(camera, y));
          label.scale.set(scale);
        });
      }
    },
    destroy() {
      layer.destroy({ children: true });
      for (const texture of textures) texture.destroy(true);
    },
  };
}

/** The middle, then the corners. */
const PLACES = [
  [0, 0],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const;

function isLabelOnScreen(camera: Camera, x: number, y: number, scale: number): boolean {
  const reach = FONT_PX * scale;
  const px = toScreenX(camera, x);
  const py = toScreenY(camera, y);
  return px > -reach && py > -reach && px < camera.widthPx + reach && py < camera.heightPx + reach;
}
