import type { FoodView } from '@engulf/netcode/decode/arena-view';

/**
 * The food being shown. Changes wait until their tick is shown, or food would vanish before the cell that eats it
 * arrives.
 */
export type FoodInView = {
  readonly shown: Map<number, FoodView>;
  readonly waiting: FoodChange[];
  /** Covered by the own cells but not confirmed by the room yet, with the deadline for that. */
  readonly predictedEaten: Map<FoodView, number>;
  /** Incremented with every change to `shown`, so that the renderer knows when to update. */
  version: number;
};

type FoodChange = { readonly tick: number; readonly item: FoodView; readonly isAdded: boolean };

export function createFoodInView(): FoodInView {
  return { shown: new Map(), waiting: [], predictedEaten: new Map(), version: 0 };
}

/** Changes must be queued in tick order, removals of a tick before its additions. */
export function queueFood(food: FoodInView, tick: number, item: FoodView, isAdded: boolean): void {
  food.waiting.push({ tick, item, isAdded });
}

/** A full snapshot starts from nothing: removes everything shown or queued. */
export function queueNoFood(food: FoodInView, tick: number): void {
  const stale = [
    ...food.shown.values(),
    ...food.waiting.filter(({ isAdded }) => isAdded).map(({ item }) => item),
  ];
  for (const item of stale) queueFood(food, tick, item, false);
}

/** Removes everything shown. */
export function forgetFood(food: FoodInView): void {
  food.shown.clear();
  food.waiting.length = 0;
  food.predictedEaten.clear();
  food.version++;
}

/** Applies the changes up to `tick` and reports every piece removed. */
export function showFood(food: FoodInView, tick: number, onGone: (item: FoodView) => void): void {
  let due = 0;
  while (due < food.waiting.length && food.waiting[due]!.tick <= tick) {
    const { item, isAdded } = food.waiting[due]!;
    due++;
    if (isAdded) food.shown.set(item.id, item);
    else if (food.shown.get(item.id) === item) {
      food.shown.delete(item.id);
      onGone(item);
    }
  }
  if (due === 0) return;
  food.waiting.splice(0, due);
  food.version++;
}

const CONFIRMED_WITHIN_MS = 500;

/** The own cells are shown ahead of the room, so the food they cover disappears ahead of it too. */
export function predictEaten(food: FoodInView, item: FoodView, nowMs: number): void {
  food.shown.delete(item.id);
  food.predictedEaten.set(item, nowMs + CONFIRMED_WITHIN_MS);
  food.version++;
}

/** Shows again what the room did not confirm in time. */
export function restoreUneaten(
  food: FoodInView,
  isStillThere: (item: FoodView) => boolean,
  nowMs: number,
): void {
  for (const [item, dueMs] of food.predictedEaten) {
    if (nowMs < dueMs) continue;
    food.predictedEaten.delete(item);
    if (!isStillThere(item)) continue;
    food.shown.set(item.id, item);
    food.version++;
  }
}
