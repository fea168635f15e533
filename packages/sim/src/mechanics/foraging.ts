import { BODY } from '../bodies.ts';
import { changeCellMass } from '../cells.ts';
import { FOOD_CHUNK, FOOD_SLOTS, takeFood } from '../food.ts';
import type { World } from '../world.ts';
import { noteCrumb } from './newcomers.ts';

/** Every cell eats the food whose centre it covers. */
export function eatFood(world: World): void {
  const { bodies, food } = world;
  const { kind, x, y, radius, top } = bodies;
  const { chunksPerSide, chunkTop, mass, offsetX, offsetY } = food;
  const lastChunk = chunksPerSide - 1;
  for (let cell = 0; cell < top; cell++) {
    if (kind[cell] !== BODY.cell) continue;
    const cx = x[cell]!;
    const cy = y[cell]!;
    const r = radius[cell]!;
    const squared = r * r;
    const column0 = Math.max(0, ((cx - r) / FOOD_CHUNK) | 0);
    const column1 = Math.min(lastChunk, ((cx + r) / FOOD_CHUNK) | 0);
    const row0 = Math.max(0, ((cy - r) / FOOD_CHUNK) | 0);
    const row1 = Math.min(lastChunk, ((cy + r) / FOOD_CHUNK) | 0);
    let eatenMilli = 0;
    for (let row = row0; row <= row1; row++) {
      for (let column = column0; column <= column1; column++) {
        const chunk = row * chunksPerSide + column;
        // Relative to the chunk's corner, so that the byte offsets can be compared directly.
        const localX = cx - column * FOOD_CHUNK;
        const localY = cy - row * FOOD_CHUNK;
        const first = chunk * FOOD_SLOTS;
        const end = first + chunkTop[chunk]!;
        for (let place = first; place < end; place++) {
          const dx = offsetX[place]! - localX;
          const dy = offsetY[place]! - localY;
          // Distance before mass, because it is almost never true: covered food was eaten before.
          if (dx * dx + dy * dy < squared && mass[place] !== 0) eatenMilli += takeFood(food, place);
        }
      }
    }
    if (eatenMilli === 0) continue;
    changeCellMass(world, cell, eatenMilli);
    noteCrumb(world, bodies.owner[cell]!);
  }
}
