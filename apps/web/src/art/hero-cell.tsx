import { useCallback } from 'react';
import { ArtCanvas, usePictures } from './art-canvas.tsx';
import { defaultAvatarUrl } from './default-avatar.ts';
import { drawCell } from './draw-cell.ts';
import { drawFood } from './draw-food.ts';
import { cupOutline } from './membrane.ts';
import { PLAYER_COLOURS } from './palette.ts';

const OWN = PLAYER_COLOURS[0];
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
  name: string;
  avatarUrl: string | null;
  sizePx?: number;
  hasFood?: boolean;
  className?: string | undefined;
};

/** The player as a pink cell about to swallow a smaller one. */
export function HeroCell({ name, avatarUrl, sizePx = DRAWN_PX, hasFood = true, className }: HeroCellProps) {
  const pictures = usePictures([avatarUrl ?? defaultAvatarUrl(name), defaultAvatarUrl(name)]);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => {
      const image = pictures?.find(Boolean);
      const cell = { x: 96, y: 112, r: 72 };
      const prey = { x: 146, y: 70, r: 20 };
      context.scale(sizePx / DRAWN_PX, sizePx / DRAWN_PX);
      drawCell(context, {
        ...cell,
        colours: OWN,
        seed: 3,
        outline: cupOutline(cell, prey, 6, 1.1),
        ...(image && { nucleus: { image, share: 0.47, dx: -13, dy: 11 } }),
      });
      drawCell(context, { ...prey, colours: YOLK, seed: 9 });
      if (hasFood) for (const [x, y, r, colour] of FOOD) drawFood(context, x, y, r, colour);
    },
    [pictures, sizePx, hasFood],
  );
  return <ArtCanvas className={className} widthPx={sizePx} heightPx={sizePx} draw={draw} />;
}
