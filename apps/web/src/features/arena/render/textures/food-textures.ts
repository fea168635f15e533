import { Rectangle, Texture } from 'pixi.js';
import { drawCrystal, drawFood } from '../../../../art/draw-food.ts';
import { FOOD_COLOURS } from '../../../../art/palette.ts';
import { canvasTexture } from './textures.ts';

/** Half the side of one picture in the atlas. The halo ends there, and the rules' radius includes it. */
export const FOOD_TEXTURE_RADIUS_PX = 40;
export const FOOD_HALO = 1.65;
/** A little less than the whole picture, so that its edge is smooth. */
const HALO_REACH = 0.975;
const GAP_PX = 4;

export type FoodTextures = ReturnType<typeof createFoodTextures>;

/** All food in one texture, so that it is drawn in one batch. */
export function createFoodTextures() {
  const { canvas, sidePx, at } = paintFoodSheet(FOOD_TEXTURE_RADIUS_PX);
  const atlas = canvasTexture(canvas, 1, true);
  const rows = [true, false].map((isRound) =>
    FOOD_COLOURS.map((_, colour) => {
      const { x, y } = at(colour, isRound);
      return new Texture({ source: atlas.source, frame: new Rectangle(x, y, sidePx, sidePx) });
    }),
  );
  return {
    atlas,
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

/** A row of discs and a row of six-sided crystals; `at` is the corner of one in the canvas. */
export function paintFoodSheet(radiusPx: number) {
  const sidePx = 2 * radiusPx;
  const pitch = sidePx + GAP_PX;
  const canvas = document.createElement('canvas');
  canvas.width = pitch * FOOD_COLOURS.length;
  canvas.height = pitch + sidePx;
  const context = canvas.getContext('2d')!;
  const coreRadius = (radiusPx * HALO_REACH) / FOOD_HALO;
  FOOD_COLOURS.forEach((_, colour) => {
    const x = colour * pitch + radiusPx;
    drawFood(context, x, radiusPx, coreRadius, colour);
    drawCrystal(context, x, pitch + radiusPx, coreRadius, colour);
  });
  return {
    canvas,
    sidePx,
    at: (colour: number, isRound: boolean) => ({
      x: colour < FOOD_COLOURS.length ? colour * pitch : 0,
      y: isRound ? 0 : pitch,
    }),
  };
}
