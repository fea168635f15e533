import type { FoodView } from '@engulf/netcode/decode/arena-view';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../art/paint.ts';
import { createFoodQuads, type FoodQuads, QUAD_FLOATS, syncFoodQuads } from './food-quads.ts';

const uvsOf = ({ colour }: FoodView) => {
  const [x0, x1] = [colour, colour + 1];
  return { x0, y0: 0, x1, y1: 0, x2: x1, y2: 1, x3: x0, y3: 1 };
};

function pieceOf(id: number, x = id * 10): FoodView {
  return { id, x, y: 7, mass: 1, radius: 4, colour: id % 20 };
}

/** The middle, size and colour of every square that has an area, in order. */
function drawnIn({ positions, uvs }: FoodQuads): string[] {
  const drawn: string[] = [];
  for (let at = 0; at < positions.length; at += QUAD_FLOATS) {
    const [left, top, right, , , bottom] = positions.subarray(at, at + QUAD_FLOATS);
    if (left === right) continue;
    drawn.push(`${(left! + right!) / 2} ${(top! + bottom!) / 2} ${right! - left!} ${uvs[at]}`);
  }
  return drawn.sort();
}

function expectedOf(shown: ReadonlyMap<number, FoodView>): string[] {
  return [...shown.values()].map(({ x, y, radius, colour }) => `${x} ${y} ${2 * radius} ${colour}`).sort();
}

describe('squares of food', () => {
  test('are those of the food that is shown, whatever comes and goes', () => {
    const random = seededRandom(4);
    const quads = createFoodQuads();
    const shown = new Map<number, FoodView>();
    for (let round = 0; round < 200; round++) {
      for (let change = 0; change < 12; change++) {
        const id = Math.trunc(random() * 900);
        if (random() < 0.4) shown.delete(id);
        else shown.set(id, pieceOf(id, Math.trunc(random() * 7_000)));
      }
      syncFoodQuads(quads, shown, uvsOf);
      expect(drawnIn(quads)).toEqual(expectedOf(shown));
    }
  });

  test('change only where the food did', () => {
    const quads = createFoodQuads();
    const shown = new Map(Array.from({ length: 100 }, (_, id) => [id, pieceOf(id)]));
    expect(syncFoodQuads(quads, shown, uvsOf)).toEqual({ from: 0, to: 100 });
    expect(syncFoodQuads(quads, shown, uvsOf)).toBeUndefined();
    shown.delete(41);
    expect(syncFoodQuads(quads, shown, uvsOf)).toEqual({ from: 41, to: 42 });
    // The next piece takes the place that is free.
    shown.set(500, pieceOf(500));
    expect(syncFoodQuads(quads, shown, uvsOf)).toEqual({ from: 41, to: 42 });
  });

  test('show another piece in the same place of the arena', () => {
    const quads = createFoodQuads();
    const shown = new Map([[3, pieceOf(3, 100)]]);
    syncFoodQuads(quads, shown, uvsOf);
    shown.set(3, pieceOf(3, 900));
    expect(syncFoodQuads(quads, shown, uvsOf)).toEqual({ from: 0, to: 1 });
    expect(drawnIn(quads)).toEqual(expectedOf(shown));
  });

  test('grow when there is more food than room', () => {
    const quads = createFoodQuads();
    const shown = new Map(Array.from({ length: 2_400 }, (_, id) => [id, pieceOf(id)]));
    expect(syncFoodQuads(quads, shown, uvsOf)).toBe('grown');
    expect(drawnIn(quads)).toEqual(expectedOf(shown));
  });
});
