import bot from '@engulf/card/avatars/bot.svg';
import cat from '@engulf/card/avatars/cat.svg';
import check from '@engulf/card/avatars/check.svg';
import egg from '@engulf/card/avatars/egg.svg';
import eye from '@engulf/card/avatars/eye.svg';
import shark from '@engulf/card/avatars/shark.svg';
import { useCallback } from 'react';
import { ArtCanvas, usePictures } from './art-canvas.tsx';
import { drawCell } from './draw-cell.ts';
import { drawFood } from './draw-food.ts';
import { drawVirus } from './draw-virus.ts';
import { blobOutline } from './membrane.ts';
import { disc } from './paint.ts';
import { type ColourPair, EOSIN, PLAYER_COLOURS } from './palette.ts';

/*
 * The pictures beside the pages that keep people out.
 */

const SIZE_PX = 620;

type Images = readonly (HTMLImageElement | undefined)[];
type Draw = (context: CanvasRenderingContext2D, images: Images) => void;

function Art({ urls, draw }: { urls: readonly string[]; draw: Draw }) {
  const images = usePictures(urls);
  const drawWith = useCallback(
    (context: CanvasRenderingContext2D) => draw(context, images ?? []),
    [draw, images],
  );
  return <ArtCanvas widthPx={SIZE_PX} heightPx={SIZE_PX} draw={drawWith} />;
}

const DISH_AVATARS = [shark, cat, eye, check, egg];

/** A petri dish full of cells, and one outside of it. */
export function DishArt() {
  return <Art urls={DISH_AVATARS} draw={drawDish} />;
}

const COOKING_AVATARS = [egg];

/** An egg in a pan. */
export function CookingArt() {
  return <Art urls={COOKING_AVATARS} draw={drawCooking} />;
}

const UPGRADE_AVATARS = [egg, bot];

/** A cell that divides. */
export function UpgradeArt() {
  return <Art urls={UPGRADE_AVATARS} draw={drawUpgrade} />;
}

type Place = readonly [x: number, y: number, r: number, colour: number];

function drawCells(context: CanvasRenderingContext2D, places: readonly Place[], images: Images): void {
  places.forEach(([x, y, r, colour], index) => {
    const image = images[index];
    const nucleus = image && { nucleus: { image, share: 0.54 } };
    drawCell(context, { x, y, r, colours: PLAYER_COLOURS[colour]!, seed: index + 2, ...nucleus });
  });
}

function drawDish(context: CanvasRenderingContext2D, images: Images): void {
  context.fillStyle = 'rgba(10,18,17,.6)';
  disc(context, 340, 300, 258);
  ring(context, 340, 300, 258, 13, '#57625d');
  ring(context, 340, 300, 234, 2, 'rgba(245,242,231,.3)');
  ring(context, 340, 300, 272, 2, 'rgba(245,242,231,.16)');
  context.lineCap = 'round';
  context.lineWidth = 9;
  context.strokeStyle = 'rgba(245,242,231,.28)';
  context.beginPath();
  context.arc(340, 300, 212, Math.PI * 1.1, Math.PI * 1.42);
  context.stroke();
  drawCells(
    context,
    [
      [320, 292, 98, 5],
      [478, 190, 44, 1],
      [452, 414, 56, 8],
      [210, 434, 33, 3],
      [56, 508, 50, 0],
    ],
    images,
  );
  const crumbs: readonly Place[] = [
    [300, 132, 11, 0],
    [390, 146, 7, 4],
    [196, 190, 8, 3],
    [544, 300, 9, 12],
    [160, 330, 7, 7],
    [330, 470, 8, 10],
    [540, 250, 6, 2],
  ];
  for (const [x, y, r, colour] of crumbs) drawFood(context, x, y, r, colour);
}

const WHITE_OF_EGG: ColourPair = ['#FFFDF4', '#CFC7AF'];

function drawCooking(context: CanvasRenderingContext2D): void {
  context.save();
  context.translate(500, 190);
  context.rotate(-0.55);
  context.fillStyle = '#0C1513';
  context.strokeStyle = '#2D433E';
  context.lineWidth = 8;
  context.beginPath();
  context.roundRect(0, -34, 108, 68, 30);
  context.fill();
  context.stroke();
  context.restore();
  context.fillStyle = '#0A1211';
  disc(context, 300, 330, 252);
  ring(context, 300, 330, 252, 18, '#2D433E');
  const spots: readonly (readonly [number, number, number])[] = [
    [130, 260, 7],
    [180, 190, 6],
    [420, 170, 8],
    [478, 300, 6],
    [470, 420, 8],
    [240, 520, 6],
    [400, 520, 9],
    [110, 380, 5],
  ];
  context.fillStyle = 'rgba(207,150,18,.75)';
  for (const [x, y, r] of spots) disc(context, x, y, r);
  const white = { x: 300, y: 330, r: 152 };
  drawCell(context, { ...white, colours: WHITE_OF_EGG, seed: 4, outline: blobOutline(white, 9, 0.16) });
  const yolk = context.createRadialGradient(292, 298, 6, 312, 322, 72);
  yolk.addColorStop(0, '#FFF0A8');
  yolk.addColorStop(0.45, '#FFD93B');
  yolk.addColorStop(1, '#CF9612');
  context.fillStyle = yolk;
  disc(context, 312, 322, 70);
  context.fillStyle = 'rgba(255,255,255,.7)';
  disc(context, 288, 294, 11);
}

function drawUpgrade(context: CanvasRenderingContext2D, images: Images): void {
  const [left, right] = [
    { x: 196, y: 388, r: 150 },
    { x: 428, y: 214, r: 148 },
  ];
  // Where the two halves separate.
  context.save();
  context.translate((left.x + right.x) / 2, (left.y + right.y) / 2);
  context.rotate(Math.atan2(right.y - left.y, right.x - left.x));
  context.fillStyle = EOSIN[1];
  context.beginPath();
  context.ellipse(0, 0, 96, 64, 0, 0, 2 * Math.PI);
  context.fill();
  context.restore();
  for (const [index, cell] of [left, right].entries()) {
    const image = images[index];
    const nucleus = image && { nucleus: { image, share: 0.48 } };
    drawCell(context, { ...cell, colours: EOSIN, seed: index + 3, ...nucleus });
  }
  drawVirus(context, 560, 60, 40, 3);
  drawCells(
    context,
    [
      [70, 150, 32, 2],
      [560, 520, 40, 6],
    ],
    [],
  );
  for (const [x, y, r, colour] of [
    [120, 90, 9, 0],
    [300, 60, 7, 9],
    [470, 470, 10, 5],
    [60, 300, 7, 16],
  ] as const) {
    drawFood(context, x, y, r, colour);
  }
}

function ring(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  r: number,
  width: number,
  colour: string,
): void {
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.beginPath();
  context.arc(x, y, r, 0, 2 * Math.PI);
  context.stroke();
}
