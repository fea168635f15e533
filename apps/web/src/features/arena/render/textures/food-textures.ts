import { Rectangle, Texture } from 'pixi.js';
import { drawCrystal, drawFood } from '../../../../art/draw-food.ts';
import { FOOD_COLOURS } from '../../../../art/palette.ts';
import { canvasTexture } from './textures.ts';

/** Half the side of one picture in the atlas. The halo ends there, and the rules' radius includes it. */
export const FOOD_TEXTURE_RADIUS_PX = 40;
const HALO = 1.65;
const GAP_PX = 4;

export type FoodTextures = ReturnType<typeof createFoodTextures>;

/** All food in one texture, so that it is drawn in one batch: a row of discs and a row of six-sided crystals. */
export function createFoodTextures() {
  const side = 2 * FOOD_TEXTURE_RADIUS_PX;
  const pitch = side + GAP_PX;
  const canvas = document.createElement('canvas');
  canvas.width = pitch * FOOD_COLOURS.length;
  canvas.height = pitch + side;
  const context = canvas.getContext('2d')!;
  const radius = (FOOD_TEXTURE_RADIUS_PX - 1) / HALO;
  FOOD_COLOURS.forEach((_, colour) => {
    const x = colour * pitch + FOOD_TEXTURE_RADIUS_PX;
    drawFood(context, x, FOOD_TEXTURE_RADIUS_PX, radius, colour);
    drawCrystal(context, x, pitch + FOOD_TEXTURE_RADIUS_PX, radius, colour);
  });
  const atlas = canvasTexture(canvas, 1, true);
  const rows = [0, pitch].map((y) =>
    FOOD_COLOURS.map(
      (_, colour) =>
        new Texture({ source: atlas.source, frame: new Rectangle(colour * pitch, y, side, side) }),
    ),
  );
  return {
    of(colour: number, isRound: boolean): Texture {
      const row = rows[isRound ? 0 : 1]!;
      return row[colour] ?? row[0]!;
    },
    destroy() {
      for (const texture of rows.flat()) texture.destroy();
      atlas.destroy(true);
    },
  };
}
