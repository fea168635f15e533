import { drawCell } from '../../art/draw-cell.ts';
import { drawFood } from '../../art/draw-food.ts';
import { PLAYER_COLOURS } from '../../art/palette.ts';

type Cell = { x: number; y: number; r: number; goal: readonly [number, number, number]; colour: number };

const NUMBERS_PER_CELL = 5;
/** How much of the arena is seen from top to bottom. */
const SEEN_UNITS = 420;
/** Where the largest cell is, as a share of the width: words stand on the left. */
const FOCUS = 0.7;
/** Sketches come once a second. Cells glide to where they were seen. */
const GLIDE_MS = 700;
/** Nobody moves so far in a second: another cell has the id now. */
const JUMP_UNITS = 900;
const FRAME_MS = 1000 / 30;
/** A machine that needs longer for a frame gets a still picture. */
const SLOW_FRAME_MS = 12;
const SLOW_FRAMES = 20;

/** Draws sketches of an arena. */
export function createSketchPicture(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D) {
  const cells = new Map<number, Cell>();
  const sprites = createSprites();
  let eye: { x: number; y: number } | undefined;
  let request: number | undefined;
  let drawnMs = performance.now();
  let slowFrames = 0;
  let isStill = false;

  function receive(sketch: readonly number[], isStillWanted: boolean): void {
    if (isStill && cells.size > 0) return;
    note(sketch);
    isStill = isStillWanted || slowFrames > SLOW_FRAMES;
    if (isStill) {
      if (request !== undefined) cancelAnimationFrame(request);
      request = undefined;
      draw(0);
    } else request ??= requestAnimationFrame(animate);
  }

  function note(sketch: readonly number[]): void {
    const seen = new Set<number>();
    for (let at = 0; at + NUMBERS_PER_CELL <= sketch.length; at += NUMBERS_PER_CELL) {
      const [id, x, y, r, colour] = sketch.slice(at, at + NUMBERS_PER_CELL) as [
        number,
        number,
        number,
        number,
        number,
      ];
      seen.add(id);
      const known = cells.get(id);
      const isSame = known && known.colour === colour && Math.hypot(x - known.x, y - known.y) < JUMP_UNITS;
      if (isSame) known.goal = [x, y, r];
      else cells.set(id, { x, y, r: 1, goal: [x, y, r], colour });
    }
    for (const [id, cell] of cells) {
      if (seen.has(id)) continue;
      if (cell.r < 2) cells.delete(id);
      else cell.goal = [cell.goal[0], cell.goal[1], 0];
    }
  }

  function animate(nowMs: number): void {
    request = requestAnimationFrame(animate);
    const elapsedMs = nowMs - drawnMs;
    if (elapsedMs < FRAME_MS - 4) return;
    drawnMs = nowMs;
    const startedMs = performance.now();
    draw(Math.min(elapsedMs, 250));
    slowFrames = performance.now() - startedMs > SLOW_FRAME_MS ? slowFrames + 1 : 0;
  }

  function draw(elapsedMs: number): void {
    const part = elapsedMs === 0 ? 1 : 1 - Math.exp(-elapsedMs / GLIDE_MS);
    let largest: Cell | undefined;
    for (const cell of cells.values()) {
      cell.x += (cell.goal[0] - cell.x) * part;
      cell.y += (cell.goal[1] - cell.y) * part;
      cell.r += (cell.goal[2] - cell.r) * part;
      if (!largest || cell.r > largest.r) largest = cell;
    }
    if (largest) {
      eye ??= { x: largest.x, y: largest.y };
      eye.x += (largest.x - eye.x) * part;
      eye.y += (largest.y - eye.y) * part;
    }
    const density = Math.min(2, window.devicePixelRatio || 1);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * density)) canvas.width = Math.round(width * density);
    if (canvas.height !== Math.round(height * density)) canvas.height = Math.round(height * density);
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, width, height);
    if (!eye) return;
    const scale = height / SEEN_UNITS;
    const left = eye.x - (width * FOCUS) / scale;
    const top = eye.y - SEEN_UNITS / 2;
    drawGround(context, sprites, { left, top, width, scale });
    for (const { x, y, r, colour } of [...cells.values()].sort((a, b) => a.r - b.r)) {
      const radius = r * scale;
      const [px, py] = [(x - left) * scale, (y - top) * scale];
      if (px < -2 * radius || px > width + 2 * radius || py < -2 * radius || py > height + 2 * radius)
        continue;
      const side = radius * SPRITE_SIDES;
      context.drawImage(sprites.cell(colour), px - side / 2, py - side / 2, side, side);
    }
  }

  return {
    receive,
    stop: () => {
      if (request !== undefined) cancelAnimationFrame(request);
    },
  };
}

const FOOD_STEP = 130;

/** Crumbs that stay where they are while the eye moves. */
function drawGround(
  context: CanvasRenderingContext2D,
  sprites: ReturnType<typeof createSprites>,
  { left, top, width, scale }: { left: number; top: number; width: number; scale: number },
): void {
  const right = left + width / scale;
  const bottom = top + SEEN_UNITS;
  for (let column = Math.floor(left / FOOD_STEP); column * FOOD_STEP < right; column++) {
    for (let row = Math.floor(top / FOOD_STEP); row * FOOD_STEP < bottom; row++) {
      const chance = Math.imul(column, 73_856_093) ^ Math.imul(row, 19_349_663);
      const x = (column * FOOD_STEP + (chance & 127) - left) * scale;
      const y = (row * FOOD_STEP + ((chance >> 7) & 127) - top) * scale;
      context.drawImage(
        sprites.food((chance >> 14) & 15),
        x - FOOD_PX / 2,
        y - FOOD_PX / 2,
        FOOD_PX,
        FOOD_PX,
      );
    }
  }
}

const SPRITE_PX = 160;
const SPRITE_RADIUS = 56;
/** How many radii a sprite is wide: a cell glows. */
const SPRITE_SIDES = SPRITE_PX / SPRITE_RADIUS;
const FOOD_PX = 12;

/** Each colour is painted once. */
function createSprites() {
  const cells = new Map<number, HTMLCanvasElement>();
  const crumbs = new Map<number, HTMLCanvasElement>();
  const middle = SPRITE_PX / 2;
  return {
    cell: (colour: number) =>
      remembered(cells, colour, SPRITE_PX, (context) =>
        drawCell(context, {
          x: middle,
          y: middle,
          r: SPRITE_RADIUS,
          colours: PLAYER_COLOURS[colour % PLAYER_COLOURS.length]!,
          seed: colour,
        }),
      ),
    food: (colour: number) =>
      remembered(crumbs, colour, FOOD_PX * 2, (context) => drawFood(context, FOOD_PX, FOOD_PX, 7, colour)),
  };
}

function remembered(
  known: Map<number, HTMLCanvasElement>,
  key: number,
  sidePx: number,
  paint: (context: CanvasRenderingContext2D) => void,
): HTMLCanvasElement {
  const before = known.get(key);
  if (before) return before;
  const canvas = document.createElement('canvas');
  canvas.width = sidePx;
  canvas.height = sidePx;
  paint(canvas.getContext('2d')!);
  known.set(key, canvas);
  return canvas;
}
