import { useCallback } from 'react';
import duck from '../ui/avatars/duck.svg';
import egg from '../ui/avatars/egg.svg';
import shark from '../ui/avatars/shark.svg';
import { ArtCanvas } from './art-canvas.tsx';
import { drawCell } from './draw-cell.ts';
import { drawFood } from './draw-ground.ts';
import { cupOutline } from './membrane.ts';
import { PLAYER_COLOURS } from './player-colour.ts';
import { usePictures } from './use-pictures.ts';

const FOOD = [
  [196, 40, 5, 3],
  [202, 104, 6, 8],
  [270, 44, 4, 12],
  [272, 104, 5, 16],
  [328, 98, 4, 1],
  [176, 96, 4, 6],
  [338, 34, 4, 9],
] as const;

/** What the game is about, in one line: everyone is somebody's lunch. */
export function Chase({ className }: { className?: string | undefined }) {
  const pictures = usePictures(PORTRAITS);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => drawChase(context, pictures ?? []),
    [pictures],
  );
  return <ArtCanvas className={className} widthPx={360} heightPx={140} draw={draw} />;
}

const PORTRAITS = [shark, egg, duck];

function drawChase(
  context: CanvasRenderingContext2D,
  [sharkImage, eggImage, duckImage]: readonly (HTMLImageElement | undefined)[],
): void {
  const hunter = { x: 98, y: 72, r: 50 };
  const prey = { x: 141, y: 62, r: 16 };
  drawCell(context, {
    ...hunter,
    colours: PLAYER_COLOURS[5],
    seed: 5,
    outline: cupOutline(hunter, prey, 5),
    ...(sharkImage && { nucleus: { image: sharkImage, share: 0.5, dx: -10, dy: 3 } }),
  });
  drawCell(context, { ...prey, colours: PLAYER_COLOURS[10], seed: 9 });
  const others = [
    { x: 236, y: 82, r: 30, colours: PLAYER_COLOURS[0], seed: 4, image: eggImage },
    { x: 306, y: 62, r: 22, colours: PLAYER_COLOURS[2], seed: 7, image: duckImage },
  ];
  for (const { image, ...cell } of others) {
    drawCell(context, { ...cell, ...(image && { nucleus: { image, share: 0.56 } }) });
  }
  for (const [x, y, r, colour] of FOOD) drawFood(context, x, y, r, colour);
}
