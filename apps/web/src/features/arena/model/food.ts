import type { FoodView } from '@engulf/netcode/arena-view';

/**
 * The food on show. Changes are held back until their tick is on show: otherwise a crumb would vanish before
 * the cell that eats it gets there.
 */
export type FoodInView = {
  readonly shown: Map<number, FoodView>;
  readonly waiting: FoodChange[];
  /** Under the own cells already, but the room has not said so yet: when it must have, at the latest. */
  readonly eatenAhead: Map<FoodView, number>;
  /** Raised with every change to `shown`, so that a renderer knows when to look. */
  version: number;
};

type FoodChange = { readonly tick: number; readonly item: FoodView; readonly isAdded: boolean };

export function createFoodInView(): FoodInView {
  return { shown: new Map(), waiting: [], eatenAhead: new Map(), version: 0 };
}

/** Changes come in the order of their ticks; in one tick, what goes comes before what appears in its place. */
export function announceFood(food: FoodInView, tick: number, item: FoodView, isAdded: boolean): void {
  food.waiting.push({ tick, item, isAdded });
}

/** A full snapshot begins with an empty dish, whatever was announced before it. */
export function announceNoFood(food: FoodInView, tick: number): void {
  const stale = [
    ...food.shown.values(),
    ...food.waiting.filter(({ isAdded }) => isAdded).map(({ item }) => item),
  ];
  for (const item of stale) announceFood(food, tick, item, false);
}

/** Lets the changes up to `tick` take effect. `onGone` gets each piece that was taken away. */
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

/** The own cells are shown ahead of the room, so what they cover has to go ahead of it, too. */
export function eatFoodAhead(food: FoodInView, item: FoodView, nowMs: number): void {
  food.shown.delete(item.id);
  food.eatenAhead.set(item, nowMs + CONFIRMED_WITHIN_MS);
  food.version++;
}

/** Puts back what was not eaten after all. */
export function returnUneaten(
  food: FoodInView,
  isStillThere: (item: FoodView) => boolean,
  nowMs: number,
): void {
  for (const [item, dueMs] of food.eatenAhead) {
    if (nowMs < dueMs) continue;
    food.eatenAhead.delete(item);
    if (!isStillThere(item)) continue;
    food.shown.set(item.id, item);
    food.version++;
  }
}
