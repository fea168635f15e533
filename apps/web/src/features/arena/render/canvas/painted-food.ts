import { FOOD_COLOURS, foodColour } from '../../../../art/palette.ts';
import type { FoodInView } from '../../model/playout/food.ts';
import type { Pass } from '../stage.ts';
import { FOOD_HALO, paintFoodSheet } from '../textures/food-textures.ts';
import { createPainted, type Spot } from './painted.ts';

/** Food is kept in several sizes: shrinking a picture to a fraction would skip most of its pixels. */
const SHEET_RADII_PX = [6, 12, 24, 40] as const;
/** Smaller pieces are painted as squares, all of one colour at once; at this size the corners are not visible. */
const SQUARE_BELOW_PX = 3;
/** The side of a square of the same area, in radii of the whole piece. */
const SQUARE_SIDE = Math.sqrt(Math.PI) / FOOD_HALO;

/** Food on the plain canvas. Only what is in sight is painted. */
export function createPaintedFood(): Pass {
  const sheets = SHEET_RADII_PX.map((radiusPx) => ({ radiusPx, ...paintFoodSheet(radiusPx) }));
  const squares = FOOD_COLOURS.map((): number[] => []);
  let food: FoodInView | undefined;
  let isRound = true;
  const layer = createPainted((context, _density, spot) => {
    if (!food) return;
    paintPieces(context, food, spot);
    paintSquares(context);
  });
  return {
    layer,
    draw(frame, { look }) {
      food = frame.food;
      isRound = look.roundFood;
    },
    destroy() {
      layer.destroy();
    },
  };

  function paintPieces(context: CanvasRenderingContext2D, { shown }: FoodInView, spot: Spot): void {
    const { width, height } = context.canvas;
    for (const { x, y, radius, colour } of shown.values()) {
      const radiusPx = radius * spot.scale;
      const left = spot.x + x * spot.scale - radiusPx;
      const top = spot.y + y * spot.scale - radiusPx;
      const sidePx = 2 * radiusPx;
      if (left > width || top > height || left + sidePx < 0 || top + sidePx < 0) continue;
      if (radiusPx < SQUARE_BELOW_PX) {
        (squares[colour] ?? squares[0]!).push(left + radiusPx, top + radiusPx, radiusPx * SQUARE_SIDE);
        continue;
      }
      const sheet = sheets.find((each) => each.radiusPx >= radiusPx) ?? sheets.at(-1)!;
      const from = sheet.at(colour, isRound);
      context.drawImage(sheet.canvas, from.x, from.y, sheet.sidePx, sheet.sidePx, left, top, sidePx, sidePx);
    }
  }

  function paintSquares(context: CanvasRenderingContext2D): void {
    squares.forEach((list, colour) => {
      if (list.length === 0) return;
      context.fillStyle = foodColour(colour);
      context.beginPath();
      for (let i = 0; i < list.length; i += 3) {
        const side = list[i + 2]!;
        context.rect(list[i]! - side / 2, list[i + 1]! - side / 2, side, side);
      }
      context.fill();
      list.length = 0;
    });
  }
}
