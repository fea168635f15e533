import { Container, Sprite, type Texture } from 'pixi.js';
import { type Camera, toScreenX, toScreenY } from '../../model/frame/camera.ts';
import { MINIMAP_LABELS } from '../../model/frame/map-grid.ts';
import { hasLightGround } from '../look.ts';
import type { Pass } from '../stage.ts';
import { BONE, displayFont } from '../textures/lettering.ts';
import { paintTexture } from '../textures/textures.ts';

const SECTORS = [0, 1, 2, 3, 4] as const;
const FONT_PX = 120;
export const SECTOR_LABEL_ALPHA = 0.07;
/** From afar a field has one label in its middle; up close it has one in each corner. */
const FAR_BELOW_SCALE = 0.5;
const FAR_FONT = { maxPx: 96, shareOfSector: 0.31 } as const;
const CORNER_WORLD = { x: 122, y: 98 } as const;
/** In a smaller field the labels would touch. */
const CORNERS_FROM_WORLD = 900;
const INK_ON_CREAM = '#15201d';

/** The names of the map's fields, faint on the ground. */
export function createSectorPass(): Pass {
  const layer = new Container();
  layer.alpha = SECTOR_LABEL_ALPHA;
  const textures: Texture[] = [];
  const labels = SECTORS.flatMap((row) =>
    SECTORS.flatMap((column) => {
      const texture = paintTexture(FONT_PX * 2, FONT_PX * 1.2, 1, (context) => {
        setLettering(context, FONT_PX, false);
        context.fillText(sectorName(row, column), FONT_PX, FONT_PX * 0.6);
      });
      textures.push(texture);
      return PLACES.map(() => new Sprite({ texture, anchor: 0.5 }));
    }),
  );
  layer.addChild(...labels);

  return {
    layer,
    draw({ camera, worldSize }, { look }) {
      layer.tint = hasLightGround(look) ? INK_ON_CREAM : 0xffffff;
      placeLabels(camera, worldSize, (row, column, place, x, y, fontPx) => {
        const label = labels[(row * SECTORS.length + column) * PLACES.length + place]!;
        label.visible = fontPx > 0;
        if (!label.visible) return;
        label.position.set(x, y);
        label.scale.set(fontPx / FONT_PX);
      });
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

export function sectorName(row: number, column: number): string {
  return MINIMAP_LABELS[row * SECTORS.length + column]!;
}

export function setLettering(context: CanvasRenderingContext2D, fontPx: number, isOnCream: boolean): void {
  context.font = displayFont(fontPx);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = isOnCream ? INK_ON_CREAM : BONE;
}

/** Says of every label where its middle is on the screen; the size of one that is out of sight is zero. */
export function placeLabels(
  camera: Camera,
  worldSize: number,
  put: (row: number, column: number, place: number, x: number, y: number, fontPx: number) => void,
): void {
  const size = worldSize / SECTORS.length;
  const isFar = camera.scale < FAR_BELOW_SCALE;
  const hasCorners = !isFar && size >= CORNERS_FROM_WORLD;
  const fontPx = isFar
    ? Math.min(FAR_FONT.maxPx, size * camera.scale * FAR_FONT.shareOfSector)
    : camera.scale * FONT_PX;
  for (const row of SECTORS) {
    for (const column of SECTORS) {
      for (let place = 0; place < PLACES.length; place++) {
        const [sideX, sideY] = PLACES[place]!;
        const x = toScreenX(camera, (column + 0.5) * size + sideX * (size / 2 - CORNER_WORLD.x));
        const y = toScreenY(camera, (row + 0.5) * size + sideY * (size / 2 - CORNER_WORLD.y));
        const isShown = (hasCorners || place === 0) && isOnScreen(camera, x, y, fontPx);
        put(row, column, place, x, y, isShown ? fontPx : 0);
      }
    }
  }
}

function isOnScreen({ widthPx, heightPx }: Camera, x: number, y: number, reachPx: number): boolean {
  return x > -reachPx && y > -reachPx && x < widthPx + reachPx && y < heightPx + reachPx;
}
