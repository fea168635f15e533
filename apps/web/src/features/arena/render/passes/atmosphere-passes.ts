import { Container, Sprite } from 'pixi.js';
import { seededRandom } from '../../../../art/paint.ts';
import type { Pass } from '../stage.ts';
import { paintTexture } from '../textures/textures.ts';

const MOTES = 46;
const TEXTURE_RADIUS_PX = 64;
/** The pattern of motes repeats at this distance. */
const TILE_PX = { x: 2300, y: 1500 } as const;
/** Parallax: they move slower than the ground. */
const DEPTH = 0.82;

/** Blurred specks of dust. */
export function createDustPass(): Pass {
  const layer = new Container();
  const texture = paintTexture(TEXTURE_RADIUS_PX * 2, TEXTURE_RADIUS_PX * 2, 1, (context) => {
    const r = TEXTURE_RADIUS_PX;
    const haze = context.createRadialGradient(r, r, 0, r, r, r);
    haze.addColorStop(0, 'rgba(190,230,210,1)');
    haze.addColorStop(1, 'rgba(190,230,210,0)');
    context.fillStyle = haze;
    context.fillRect(0, 0, 2 * r, 2 * r);
  });
  const random = seededRandom(9);
  const motes = Array.from({ length: MOTES }, () => {
    const sprite = new Sprite({ texture, anchor: 0.5 });
    sprite.scale.set((20 + random() * 80) / TEXTURE_RADIUS_PX);
    sprite.alpha = 0.02 + random() * 0.025;
    layer.addChild(sprite);
    return { sprite, x: random() * TILE_PX.x, y: random() * TILE_PX.y };
  });

  return {
    layer,
    draw({ camera }, { hasDetail }) {
      layer.visible = hasDetail;
      if (!hasDetail) return;
      const shiftX = camera.x * camera.scale * DEPTH;
      const shiftY = camera.y * camera.scale * DEPTH;
      for (const { sprite, x, y } of motes) {
        sprite.position.set(wrap(x - shiftX, TILE_PX.x) - 150, wrap(y - shiftY, TILE_PX.y) - 150);
      }
    },
    destroy() {
      layer.destroy({ children: true });
      texture.destroy(true);
    },
  };
}

function wrap(value: number, period: number): number {
  return ((value % period) + period) % period;
}

const WIDTH_PX = 480;
const HEIGHT_PX = 270;

/** Darkens the corners above all cells, so that the panels stay legible. */
export function createVignettePass(): Pass {
  const texture = paintTexture(WIDTH_PX, HEIGHT_PX, 1, (context) => {
    const [x, y] = [WIDTH_PX / 2, HEIGHT_PX / 2];
    const shade = context.createRadialGradient(x, y, HEIGHT_PX * 0.5, x, y, WIDTH_PX * 0.66);
    shade.addColorStop(0, 'rgba(4,8,7,0)');
    shade.addColorStop(1, 'rgba(4,8,7,.66)');
    context.fillStyle = shade;
    context.fillRect(0, 0, WIDTH_PX, HEIGHT_PX);
  });
  const layer = new Sprite(texture);
  return {
    layer,
    draw({ camera }, { hasDetail }) {
      layer.visible = hasDetail;
      layer.width = camera.widthPx;
      layer.height = camera.heightPx;
    },
    destroy() {
      layer.destroy();
      texture.destroy(true);
    },
  };
}
