import { expect, test, vi } from 'vitest';
import { announceFood, createFoodInView, eatFoodAhead, returnUneaten, showFood } from './food.ts';

const crumb = { id: 3, x: 10, y: 20, mass: 4, radius: 20, colour: 5 };

test('food appears and goes when its tick is on show', () => {
  const food = createFoodInView();
  announceFood(food, 10, crumb, true);
  announceFood(food, 12, crumb, false);
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

test('a place that is filled anew gives up what lay there, once', () => {
  const food = createFoodInView();
  const next = { ...crumb, x: 99 };
  announceFood(food, 1, crumb, true);
  announceFood(food, 2, crumb, false);
  announceFood(food, 2, next, true);
  const onGone = vi.fn();
  showFood(food, 2, onGone);
  expect(onGone).toHaveBeenCalledExactlyOnceWith(crumb);
  expect(food.shown.get(3)).toBe(next);
});

test('what the own cells cover goes at once, and comes back if the room does not agree', () => {
  const food = createFoodInView();
  const spared = { ...crumb, id: 4 };
  announceFood(food, 1, crumb, true);
  announceFood(food, 1, spared, true);
  showFood(food, 1, () => {});
  eatFoodAhead(food, crumb, 1_000);
  eatFoodAhead(food, spared, 1_000);
  expect(food.shown.size).toBe(0);
  const onGone = vi.fn();
  announceFood(food, 2, crumb, false);
  showFood(food, 2, onGone);
  expect(onGone).not.toHaveBeenCalled();
  const isStillThere = (item: typeof crumb) => item === spared;
  returnUneaten(food, isStillThere, 1_400);
  expect(food.shown.size).toBe(0);
  returnUneaten(food, isStillThere, 1_500);
  expect([...food.shown.values()]).toEqual([spared]);
});
