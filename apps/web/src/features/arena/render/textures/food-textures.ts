import { Rectangle, Texture } from 'pixi.js';
import { drawFood } from '../../../../art/draw-food.ts';
import { FOOD_COLOURS } from '../../../../art/palette.ts';
import { canvasTexture } from './textures.ts';

/** Half the side of one picture in the atlas. The halo ends there, and the rules' radius includes it. */
export const FOOD_TEXTURE_RADIUS_PX = 40;
const HALO = 1.65;
const GAP_PX = 4;

export type FoodTextures = { readonly byColour: readonly Texture[]; destroy(): void };

/** All food colours in one texture, so that all food is drawn in one batch. */
export function createFoodTextures(): FoodTextures {
  const side = 2 * FOOD_TEXTURE_RADIUS_PX;
  const pitch = side + GAP_PX;
  const canvas = document.createElement('canvas');
  canvas.width = pitch * FOOD_COLOURS.length;
  canvas.height = side;
  const context = canvas.getContext('2d')!;
  FOOD_COLOURS.forEach((_, colour) => {
    const x = colour * pitch + FOOD_TEXTURE_RADIUS_PX;
    drawFood(context, x, FOOD_TEXTURE_RADIUS_PX, (FOOD_TEXTURE_RADIUS_PX - 1) / HALO, colour);
  });
  const atlas = canvasTexture(canvas, 1, true);
  const byColour = FOOD_COLOURS.map(
    (_, colour) => new Texture({ source: atlas.source, frame: new Rectangle(colour * pitch, 0, side, side) }),
  );
  return {
    byColour,
    destroy() {
      for (const texture of byColour) texture.destroy();
      atlas.destroy(true);
    },
  };
}
