import { expect, test, vi } from 'vitest';
import { createFoodInView, predictEaten, queueFood, restoreUneaten, showFood } from './food.ts';

const crumb = { id: 3, x: 10, y: 20, mass: 4, radius: 20, colour: 5 };

test('food appears and disappears when its tick is shown', () => {
  const food = createFoodInView();
  queueFood(food, 10, crumb, true);
  queueFood(food, 12, crumb, false);
  const onGone = vi.fn();
  showFood(food, 9.9, onGone);
  expect(food.shown.size).toBe(0);
  showFood(food, 10, onGone);
  expect(food.shown.get(3)).toBe(crumb);
  const version = food.version;
  showFood(food, 11, onGone);
  expect(food.version).toBe(version);
  showFood(food, 12.5, onGone);
  expect(onGone).toHaveBeenCalledExactlyOnceWith(crumb);
  expect(food.shown.size).toBe(0);
});

test('a refilled place reports the old food once', () => {
  const food = createFoodInView();
  const next = { ...crumb, x: 99 };
  queueFood(food, 1, crumb, true);
  queueFood(food, 2, crumb, false);
  queueFood(food, 2, next, true);
  const onGone = vi.fn();
  showFood(food, 2, onGone);
  expect(onGone).toHaveBeenCalledExactlyOnceWith(crumb);
  expect(food.shown.get(3)).toBe(next);
});

test('food under the own cells disappears at once, and returns if the room does not confirm it', () => {
  const food = createFoodInView();
  const spared = { ...crumb, id: 4 };
  queueFood(food, 1, crumb, true);
  queueFood(food, 1, spared, true);
  showFood(food, 1, () => {});
  predictEaten(food, crumb, 1_000);
  predictEaten(food, spared, 1_000);
  expect(food.shown.size).toBe(0);
  const onGone = vi.fn();
  queueFood(food, 2, crumb, false);
  showFood(food, 2, onGone);
  expect(onGone).not.toHaveBeenCalled();
  const isStillThere = (item: typeof crumb) => item === spared;
  restoreUneaten(food, isStillThere, 1_400);
  expect(food.shown.size).toBe(0);
  restoreUneaten(food, isStillThere, 1_500);
  expect([...food.shown.values()]).toEqual([spared]);
});
