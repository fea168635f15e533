import type { ArenaDecoder } from '@engulf/netcode/decode/arena-decoder';
import type { PlayerView } from '@engulf/netcode/decode/arena-view';
import { type Bodies, markGone, markUnseenGone, recordBody } from './bodies.ts';
import { type FoodInView, queueFood, queueNoFood } from './food.ts';

/** Takes over the bodies and the food of the latest update. What is new is shown from `shownFrom` on. */
export function recordUpdate(
  { view, update }: ArenaDecoder,
  own: PlayerView | undefined,
  bodies: Bodies,
  food: FoodInView,
  shownFrom: number,
): void {
  const { tick } = update;
  for (const body of view.bodies) {
    recordBody(bodies, tick, shownFrom, body, own !== undefined && body.player === own);
  }
  for (const group of [update.cells, update.massFood, update.viruses]) {
    for (const body of group.remove) markGone(bodies, tick, body);
  }
  if (update.type === 'full') {
    markUnseenGone(bodies, tick);
    queueNoFood(food, tick);
  }
  for (const item of update.food.remove) queueFood(food, tick, item, false);
  for (const item of update.food.add) queueFood(food, shownFrom, item, true);
}
