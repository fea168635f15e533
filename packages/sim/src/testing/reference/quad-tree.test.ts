import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Box,
  createQuadTree,
  insertItem,
  type QuadNode,
  removeItem,
  search,
  updateItem,
} from './quad-tree.ts';

type Item = { readonly name: number; readonly box: Box; node: QuadNode<Item> | undefined };

const SIDE = 1000;

const boxes = fc
  .tuple(fc.integer({ min: -50, max: SIDE }), fc.integer({ min: -50, max: SIDE }), fc.nat({ max: 120 }))
  .map(([left, top, size]): Box => ({ left, top, right: left + size, bottom: top + size }));

test('a search finds exactly the items that overlap the box, even after moves and removals', () => {
  fc.assert(
    fc.property(
      fc.array(boxes, { minLength: 17, maxLength: 60 }),
      fc.array(fc.tuple(fc.nat(), fc.option(boxes, { nil: undefined })), { minLength: 100, maxLength: 200 }),
      (start, changes) => {
        const tree = createQuadTree<Item>({ left: 0, top: 0, right: SIDE, bottom: SIDE });
        const items = start.map((box, name): Item => ({ name, box: { ...box }, node: undefined }));
        for (const item of items) insertItem(tree, item);
        for (const [pick, box] of changes) {
          const item = items[pick % items.length];
          if (!item) break;
          if (box) {
            Object.assign(item.box, box);
            updateItem(item);
          } else if (items.length > 3) {
            removeItem(item);
            items.splice(items.indexOf(item), 1);
          }
          const found = search(tree, item.box).map(({ name }) => name);
          const expected = items.filter((other) => meets(other.box, item.box)).map(({ name }) => name);
          expect(found.toSorted()).toEqual(expected.toSorted());
        }
      },
    ),
  );
});

test('an emptied tree collapses to one node', () => {
  const tree = createQuadTree<Item>({ left: 0, top: 0, right: SIDE, bottom: SIDE });
  const items = Array.from({ length: 100 }, (_, name): Item => {
    const at = name * 9;
    return { name, box: { left: at, top: at, right: at + 5, bottom: at + 5 }, node: undefined };
  });
  for (const item of items) insertItem(tree, item);
  expect(tree.children).toHaveLength(4);
  for (const item of items) removeItem(item);
  expect(tree.children).toBeUndefined();
  expect(search(tree, tree.box)).toEqual([]);
});

function meets(a: Box, b: Box): boolean {
  return !(a.left > b.right || a.right < b.left || a.top > b.bottom || a.bottom < b.top);
}
