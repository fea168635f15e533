import { Sprite } from 'pixi.js';
import { paintTexture } from '../textures/textures.ts';
import type { Pass } from './pass.ts';

const WIDTH_PX = 480;
const HEIGHT_PX = 270;

/** Darkens the corners, over everything that lives: the eye stays in the middle, the panels stay legible. */
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
