import type { BodyView } from '@engulf/netcode/decode/arena-view';
import { describe, expect, test, vi } from 'vitest';
import { aBody } from '../../../../testing/arena-fixtures.ts';
import { type Bodies, type Body, findEater, isShown, markGone, recordBody, trimBodies } from './bodies.ts';
import { showBodies } from './show-bodies.ts';

function bodyView(over: Partial<BodyView> = {}): BodyView {
  return {
    id: 7,
    kind: 'cell',
    player: undefined,
    colour: 0,
    x: 0,
    y: 0,
    velocityX: 0,
    velocityY: 0,
    radius: 50,
    mass: 25,
    isPrimary: false,
    isGone: false,
    ...over,
  };
}

const nothing = () => {};

test('of too many removed bodies the oldest are dropped; those still in view stay', () => {
  const bodies: Bodies = new Map();
  const add = (id: number, kind: Body['kind'], goneTick = Number.POSITIVE_INFINITY) =>
    bodies.set(id, aBody({ id, kind, goneTick }));
  for (let id = 0; id < 1_200; id++) add(id, 'massFood', id < 50 ? undefined : 7);
  for (let id = 2_000; id < 2_020; id++) add(id, 'cell', 7);
  trimBodies(bodies);
  const left = [...bodies.values()].filter(({ kind }) => kind === 'massFood');
  expect(left).toHaveLength(1_000);
  expect(left.slice(0, 51).map(({ id }) => id)).toEqual([...Array.from({ length: 50 }, (_, id) => id), 250]);
  expect(bodies.size).toBe(1_020);
});

describe('bodies in view', () => {
  test('appear and disappear when their tick is shown, not when the update arrives', () => {
    const bodies: Bodies = new Map();
    recordBody(bodies, 10, 10, bodyView(), false);
    showBodies(bodies, 8, 100, nothing);
    expect(isShown(bodies.get(7)!)).toBe(false);
    showBodies(bodies, 10, 180, nothing);
    expect(bodies.get(7)!.shownSinceMs).toBe(180);

    markGone(bodies, 11, bodyView({ isGone: true }));
    const onGone = vi.fn();
    showBodies(bodies, 10.9, 200, onGone);
    expect(onGone).not.toHaveBeenCalled();
    showBodies(bodies, 11, 210, onGone);
    expect(onGone).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 7, wasEaten: true }));
    expect(bodies.size).toBe(0);
  });

  test('are interpolated between updates', () => {
    const bodies: Bodies = new Map();
    recordBody(bodies, 1, 1, bodyView(), false);
    recordBody(bodies, 2, 2, bodyView({ x: 20, radius: 60 }), false);
    showBodies(bodies, 1.5, 0, nothing);
    expect(bodies.get(7)).toMatchObject({ x: 10, radius: 55 });
  });

  test('disappear silently if they were never shown', () => {
    const bodies: Bodies = new Map();
    recordBody(bodies, 5, 5, bodyView(), false);
    markGone(bodies, 6, bodyView());
    const onGone = vi.fn();
    showBodies(bodies, 7, 0, onGone);
    expect(onGone).not.toHaveBeenCalled();
    expect(bodies.size).toBe(0);
  });

  test('findEater picks the larger cell around the prey', () => {
    const bodies: Bodies = new Map();
    recordBody(bodies, 1, 1, bodyView({ id: 1, radius: 100 }), false);
    recordBody(bodies, 1, 1, bodyView({ id: 2, x: 130, radius: 90 }), false);
    recordBody(bodies, 1, 1, bodyView({ id: 3, x: 60, radius: 95, kind: 'virus' }), false);
    showBodies(bodies, 1, 0, nothing);
    expect(findEater(bodies, 60, 0, 20)!.id).toBe(1);
    expect(findEater(bodies, 90, 0, 20)!.id).toBe(2);
    expect(findEater(bodies, 400, 0, 20)).toBeUndefined();
    expect(findEater(bodies, 60, 0, 99.5)!.id).toBe(1);
  });
});
