/*
 * The quadtree of older servers: an item is stored in the smallest square that contains its whole box, so an
 * item across a dividing line stays further up. Items know their node and move when their box changes.
 */

export type Box = { left: number; top: number; right: number; bottom: number };

export type QuadItem<T> = { readonly box: Box; node: QuadNode<T> | undefined };

export type QuadNode<T> = {
  readonly parent: QuadNode<T> | undefined;
  readonly depth: number;
  readonly box: Box;
  readonly middleX: number;
  readonly middleY: number;
  readonly items: T[];
  /** Top left, top right, bottom left, bottom right. */
  children: QuadNode<T>[] | undefined;
};

const MAX_ITEMS = 16;
const MAX_DEPTH = 16;

export function createQuadTree<T extends QuadItem<T>>(box: Box): QuadNode<T> {
  return createNode(undefined, box);
}

export function insertItem<T extends QuadItem<T>>(root: QuadNode<T>, item: T): void {
  settle(descend(root, item.box), item);
}

/** Moves an item whose box has changed. */
export function updateItem<T extends QuadItem<T>>(item: T): void {
  const old = item.node;
  if (!old) throw new Error('The item is in no tree');
  let node = old;
  while (node.parent && !holds(node.box, item.box)) node = node.parent;
  node = descend(node, item.box);
  if (node === old) return;
  // In this order, because taking out may remove empty nodes, among them the new one.
  settle(node, item);
  takeOut(old, item);
}

export function removeItem<T extends QuadItem<T>>(item: T): void {
  if (!item.node) throw new Error('The item is in no tree');
  takeOut(item.node, item);
  item.node = undefined;
}

/** Every item whose box meets the given one. */
export function search<T extends QuadItem<T>>(root: QuadNode<T>, box: Box): T[] {
  const found: T[] = [];
  collect(root, box, found);
  return found;
}

function collect<T extends QuadItem<T>>(node: QuadNode<T>, box: Box, found: T[]): void {
  for (const item of node.items) {
    if (meets(item.box, box)) found.push(item);
  }
  const { children, middleX, middleY } = node;
  if (!children) return;
  if (box.top <= middleY) {
    if (box.left <= middleX) collect(children[0]!, box, found);
    if (box.right >= middleX) collect(children[1]!, box, found);
  }
  if (box.bottom >= middleY) {
    if (box.left <= middleX) collect(children[2]!, box, found);
    if (box.right >= middleX) collect(children[3]!, box, found);
  }
}

function createNode<T>(parent: QuadNode<T> | undefined, box: Box): QuadNode<T> {
  return {
    parent,
    depth: parent ? parent.depth + 1 : 0,
    box,
    middleX: (box.left + box.right) / 2,
    middleY: (box.top + box.bottom) / 2,
    items: [],
    children: undefined,
  };
}

function descend<T>(from: QuadNode<T>, box: Box): QuadNode<T> {
  let node = from;
  for (;;) {
    const child = childFor(node, box);
    if (!child) return node;
    node = child;
  }
}

/** The child that holds the whole box, if there is one. */
function childFor<T>({ children, middleX, middleY }: QuadNode<T>, box: Box): QuadNode<T> | undefined {
  if (!children) return undefined;
  const column = box.right < middleX ? 0 : box.left > middleX ? 1 : -1;
  const row = box.bottom < middleY ? 0 : box.top > middleY ? 1 : -1;
  return column < 0 || row < 0 ? undefined : children[row * 2 + column];
}

function settle<T extends QuadItem<T>>(node: QuadNode<T>, item: T): void {
  node.items.push(item);
  item.node = node;
  if (!node.children && node.items.length > MAX_ITEMS && node.depth < MAX_DEPTH) divide(node);
}

function divide<T extends QuadItem<T>>(node: QuadNode<T>): void {
  const { left, top, right, bottom } = node.box;
  const { middleX, middleY } = node;
  node.children = [
    createNode(node, { left, top, right: middleX, bottom: middleY }),
    createNode(node, { left: middleX, top, right, bottom: middleY }),
    createNode(node, { left, top: middleY, right: middleX, bottom }),
    createNode(node, { left: middleX, top: middleY, right, bottom }),
  ];
  for (const item of node.items.splice(0)) settle(childFor(node, item.box) ?? node, item);
}

function takeOut<T extends QuadItem<T>>(node: QuadNode<T>, item: T): void {
  node.items.splice(node.items.indexOf(item), 1);
  for (let at: QuadNode<T> | undefined = node; at; at = at.parent) {
    if (at.children?.some((child) => child.children || child.items.length > 0)) return;
    at.children = undefined;
  }
}

function holds(outer: Box, inner: Box): boolean {
  return (
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom
  );
}

function meets(a: Box, b: Box): boolean {
  return a.left <= b.right && a.right >= b.left && a.top <= b.bottom && a.bottom >= b.top;
}
