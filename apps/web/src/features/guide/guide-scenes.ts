import { drawCell } from '../../art/draw-cell.ts';
import { drawFood } from '../../art/draw-food.ts';
import { drawPortal } from '../../art/draw-portal.ts';
import { drawVirus } from '../../art/draw-virus.ts';
import { cupOutline } from '../../art/membrane.ts';
import { INK } from '../../art/paint.ts';
import { PLAYER_COLOURS } from '../../art/palette.ts';

/** Draws one moment of a rule. `along` goes from 0 to 1 and begins again. */
export type Scene = (context: CanvasRenderingContext2D, along: number, portrait: CanvasImageSource) => void;

export const SCENE_SIZE = { widthPx: 208, heightPx: 116 } as const;

const [OWN, , YELLOW, , , TEAL] = PLAYER_COLOURS;
const MIDDLE = SCENE_SIZE.heightPx / 2;

type Body = { x: number; y: number; r: number; outline?: Path2D };

function own(context: CanvasRenderingContext2D, portrait: CanvasImageSource, body: Body): void {
  const nucleus = { image: portrait, share: 0.5 };
  drawCell(context, { ...body, colours: OWN, seed: 3, ...(body.r > 14 && { nucleus }) });
}

/** Slow at both ends. */
const ease = (share: number) => share * share * (3 - 2 * share);
/** 0 before `from`, 1 after `to`. */
const between = (along: number, from: number, to: number) =>
  ease(Math.min(1, Math.max(0, (along - from) / (to - from))));

const move: Scene = (context, along, portrait) => {
  const angle = along * 2 * Math.PI;
  const pointer = { x: 104 + 62 * Math.cos(angle), y: MIDDLE + 30 * Math.sin(2 * angle) };
  const late = angle - 0.55;
  own(context, portrait, { x: 104 + 56 * Math.cos(late), y: MIDDLE + 27 * Math.sin(2 * late), r: 22 });
  drawPointer(context, pointer);
};

const eat: Scene = (context, along, portrait) => {
  const reach = between(along, 0.05, 0.6);
  const isGone = along > 0.68;
  const hunter = { x: 62 + 44 * reach, y: MIDDLE, r: isGone ? 37 : 33 };
  const prey = { x: 158 - 6 * reach, y: MIDDLE - 6, r: 17 };
  const isClose = reach > 0.55 && !isGone;
  own(context, portrait, { ...hunter, ...(isClose && { outline: cupOutline(hunter, prey, 4) }) });
  if (!isGone) drawCell(context, { ...prey, colours: YELLOW, seed: 8 });
  drawLabel(context, isGone ? '+' : '1.3×', 34, 18);
};

const split: Scene = (context, along, portrait) => {
  const out = between(along, 0.25, 0.6);
  const r = out > 0 ? 24 : 34;
  own(context, portrait, { x: 58, y: MIDDLE, r });
  if (out > 0) own(context, portrait, { x: 58 + 98 * out, y: MIDDLE, r });
};

const eject: Scene = (context, along, portrait) => {
  own(context, portrait, { x: 54, y: MIDDLE, r: 32 - 3 * along });
  for (const start of [0.1, 0.35, 0.6]) {
    const out = between(along, start, start + 0.3) * (1.2 - start);
    if (out > 0)
      drawCell(context, { x: 84 + 90 * out, y: MIDDLE + 26 * (start - 0.35), r: 8, colours: OWN, seed: 4 });
  }
};

const virus: Scene = (context, along, portrait) => {
  const near = between(along, 0.05, 0.45);
  const burst = between(along, 0.5, 0.8);
  if (burst === 0) {
    drawVirus(context, 142, MIDDLE, 25, 2);
    own(context, portrait, { x: 48 + 42 * near, y: MIDDLE, r: 37 });
    return;
  }
  for (let piece = 0; piece < 8; piece++) {
    const angle = (piece / 8) * 2 * Math.PI + 0.3;
    const out = 12 + 34 * burst;
    own(context, portrait, {
      x: 104 + 1.5 * out * Math.cos(angle),
      y: MIDDLE + out * Math.sin(angle),
      r: 13,
    });
  }
};

const portal: Scene = (context, along, portrait) => {
  const reach = between(along, 0.1, 0.7);
  const gone = between(along, 0.7, 0.85);
  context.save();
  context.translate(146, MIDDLE);
  context.rotate(along * Math.PI);
  drawPortal(context, 27, false);
  context.restore();
  if (gone < 1) own(context, portrait, { x: 44 + 102 * reach, y: MIDDLE, r: 26 * (1 - gone) + 0.5 });
  if (gone > 0.5) drawLabel(context, '+ SOL', 146, 16);
};

export const SCENES = { move, eat, split, eject, virus, portal } as const;

/** The ground under every scene. */
export function drawGround(context: CanvasRenderingContext2D): void {
  context.fillStyle = '#0A1412';
  context.fillRect(0, 0, SCENE_SIZE.widthPx, SCENE_SIZE.heightPx);
  const crumbs = [
    [18, 22, 3],
    [196, 30, 9],
    [28, 98, 12],
    [184, 100, 5],
    [112, 106, 16],
    [96, 8, 1],
  ] as const;
  for (const [x, y, colour] of crumbs) drawFood(context, x, y, 3, colour);
}

function drawPointer(context: CanvasRenderingContext2D, { x, y }: { x: number; y: number }): void {
  context.save();
  context.translate(x, y);
  context.beginPath();
  for (const [dx, dy] of POINTER) context.lineTo(dx, dy);
  context.closePath();
  context.fillStyle = '#F5F2E7';
  context.strokeStyle = INK;
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
  context.restore();
}

const POINTER = [
  [0, 0],
  [0, 15],
  [4, 12],
  [7, 18],
  [9.5, 17],
  [6.8, 11],
  [11, 11],
] as const;

function drawLabel(context: CanvasRenderingContext2D, text: string, x: number, y: number): void {
  context.font = "700 14px 'Onest Variable', sans-serif";
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = TEAL[0];
  context.fillText(text, x, y);
}
