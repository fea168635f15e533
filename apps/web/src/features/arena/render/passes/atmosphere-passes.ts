import { Container, Sprite } from 'pixi.js';
import { seededRandom } from '../../../../art/paint.ts';
import type { Camera } from '../../model/frame/camera.ts';
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
  const texture = paintTexture(TEXTURE_RADIUS_PX * 2, TEXTURE_RADIUS_PX * 2, 1, (context) =>
    paintMote(context, TEXTURE_RADIUS_PX, 1),
  );
  const sprites = DUST.map(({ radiusPx, alpha }) => {
    const sprite = new Sprite({ texture, anchor: 0.5 });
    sprite.scale.set(radiusPx / TEXTURE_RADIUS_PX);
    sprite.alpha = alpha;
    layer.addChild(sprite);
    return sprite;
  });

  return {
    layer,
    draw({ camera }, { hasDetail }) {
      layer.visible = hasDetail;
      if (hasDetail) placeDust(camera, (index, x, y) => sprites[index]!.position.set(x, y));
    },
    destroy() {
      layer.destroy({ children: true });
      texture.destroy(true);
    },
  };
}

export const DUST: readonly { radiusPx: number; alpha: number; x: number; y: number }[] = scatterDust();

function scatterDust() {
  const random = seededRandom(9);
  return Array.from({ length: MOTES }, () => ({
    radiusPx: 20 + random() * 80,
    alpha: 0.02 + random() * 0.025,
    x: random() * TILE_PX.x,
    y: random() * TILE_PX.y,
  }));
}

/** Where the middle of each mote is on the screen. */
export function placeDust(camera: Camera, place: (index: number, x: number, y: number) => void): void {
  const shiftX = camera.x * camera.scale * DEPTH;
  const shiftY = camera.y * camera.scale * DEPTH;
  for (let index = 0; index < DUST.length; index++) {
    const { x, y } = DUST[index]!;
    place(index, wrap(x - shiftX, TILE_PX.x) - 150, wrap(y - shiftY, TILE_PX.y) - 150);
  }
}

/** In the middle of a square of two radii. */
export function paintMote(context: CanvasRenderingContext2D, radiusPx: number, alpha: number): void {
  const haze = context.createRadialGradient(radiusPx, radiusPx, 0, radiusPx, radiusPx, radiusPx);
  haze.addColorStop(0, `rgba(190,230,210,${alpha})`);
  haze.addColorStop(1, 'rgba(190,230,210,0)');
  context.fillStyle = haze;
  context.fillRect(0, 0, 2 * radiusPx, 2 * radiusPx);
}

function wrap(value: number, period: number): number {
  return ((value % period) + period) % period;
}

const WIDTH_PX = 480;
const HEIGHT_PX = 270;

/** Darkens the corners above all cells, so that the panels stay legible. */
export function createVignettePass(): Pass {
  const texture = paintTexture(WIDTH_PX, HEIGHT_PX, 1, paintVignette);
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

/** Fills the whole canvas of the context. */
export function paintVignette(context: CanvasRenderingContext2D): void {
  const { width, height } = context.canvas;
  const [x, y] = [width / 2, height / 2];
  const shade = context.createRadialGradient(x, y, height * 0.5, x, y, width * 0.66);
  shade.addColorStop(0, 'rgba(4,8,7,0)');
  shade.addColorStop(1, 'rgba(4,8,7,.66)');
  context.fillStyle = shade;
  context.fillRect(0, 0, width, height);
}
