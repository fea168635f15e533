import type { Frame } from '@engulf/domain/profile/daily-goal';
import { useCallback } from 'react';
import { ArtCanvas, usePictures } from './art-canvas.tsx';
import { defaultAvatarUrl } from './default-avatar.ts';
import { drawCell } from './draw-cell.ts';
import { drawFood } from './draw-food.ts';
import { cupOutline } from './membrane.ts';
import { EOSIN, PLAYER_COLOURS, playerColours } from './palette.ts';

const YOLK = PLAYER_COLOURS[2];

const FOOD = [
  [22, 40, 6, 6],
  [40, 22, 4.5, 12],
  [186, 128, 6, 9],
  [176, 152, 4.5, 4],
  [12, 150, 5, 14],
  [118, 24, 4, 1],
  [190, 92, 4, 17],
] as const;

const DRAWN_PX = 206;

type HeroCellProps = {
  /** Of the player; without one the cell is pink. */
  id?: string;
  colour?: number | null;
  frame?: Frame;
  name: string;
  avatarUrl: string | null;
  sizePx?: number;
  hasFood?: boolean;
  className?: string | undefined;
};

const FRAME_COLOURS: { readonly [frame in Frame]?: string } = {
  glass: '#D9F1EC',
  copper: '#E08A4F',
  gold: '#FFD93B',
};
const NUCLEUS = { share: 0.47, dx: -13, dy: 11 } as const;

/** The player as a cell about to swallow a smaller one. */
export function HeroCell(props: HeroCellProps) {
  const { id, colour = null, frame = 'none', name, avatarUrl } = props;
  const { sizePx = DRAWN_PX, hasFood = true, className } = props;
  const pictures = usePictures([avatarUrl ?? defaultAvatarUrl(name), defaultAvatarUrl(name)]);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => {
      const image = pictures?.find(Boolean);
      const cell = { x: 96, y: 112, r: 72 };
      const prey = { x: 146, y: 70, r: 20 };
      context.scale(sizePx / DRAWN_PX, sizePx / DRAWN_PX);
      drawCell(context, {
        ...cell,
        colours: id === undefined ? EOSIN : playerColours(id, colour),
        seed: 3,
        outline: cupOutline(cell, prey, 6, 1.1),
        ...(image && { nucleus: { image, ...NUCLEUS } }),
      });
      const rim = FRAME_COLOURS[frame];
      if (rim !== undefined) drawFrame(context, cell, rim);
      drawCell(context, { ...prey, colours: YOLK, seed: 9 });
      if (hasFood) for (const [x, y, r, colour] of FOOD) drawFood(context, x, y, r, colour);
    },
    [pictures, sizePx, hasFood, id, colour, frame],
  );
  return <ArtCanvas className={className} widthPx={sizePx} heightPx={sizePx} draw={draw} />;
}

/** The rim of the portrait that daily goals bring. */
function drawFrame(
  context: CanvasRenderingContext2D,
  cell: { readonly x: number; readonly y: number; readonly r: number },
  colour: string,
): void {
  const [x, y, r] = [cell.x + NUCLEUS.dx, cell.y + NUCLEUS.dy, cell.r * NUCLEUS.share];
  for (const [width, stroke] of [
    [7, 'rgba(10,18,17,.55)'],
    [4.5, colour],
  ] as const) {
    context.lineWidth = width;
    context.strokeStyle = stroke;
    context.beginPath();
    context.arc(x, y, r + 1.5, 0, 2 * Math.PI);
    context.stroke();
  }
}
