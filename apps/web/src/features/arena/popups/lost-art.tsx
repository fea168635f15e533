import { useCallback } from 'react';
import { ArtCanvas } from '../../../art/art-canvas.tsx';
import { drawCell } from '../../../art/draw-cell.ts';
import { disc } from '../../../art/paint.ts';
import { usePictures } from '../../../art/use-pictures.ts';
import { defaultAvatarUrl } from '../../../ui/default-avatar.ts';

const WIDTH_PX = 400;
const HEIGHT_PX = 230;
const CENTRE = { x: 200, y: 122 } as const;
const GREY = ['#7C8A85', '#4A5753'] as const;
const INFO = '#6CC0FF';
const ON_INFO = '#021B2E';

/** The own cell, grey and out of reach. */
export function LostArt({ name, avatarUrl }: { name: string; avatarUrl: string | null }) {
  const pictures = usePictures([avatarUrl ?? defaultAvatarUrl(name)]);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => {
      const { x, y } = CENTRE;
      const image = pictures?.[0];
      drawCell(context, {
        x,
        y,
        r: 86,
        colours: GREY,
        seed: 3,
        ...(image && { nucleus: { image, share: 0.5 } }),
      });
      context.setLineDash([14, 12]);
      context.lineWidth = 4;
      context.strokeStyle = INFO;
      context.beginPath();
      context.arc(x, y, 104, 0, 2 * Math.PI);
      context.stroke();
      context.setLineDash([]);
      drawNoSignal(context, x + 74, y + 62);
    },
    [pictures],
  );
  return <ArtCanvas widthPx={WIDTH_PX} heightPx={HEIGHT_PX} draw={draw} />;
}

function drawNoSignal(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.fillStyle = '#0A1211';
  disc(context, x, y, 31);
  context.fillStyle = INFO;
  disc(context, x, y, 26);
  context.strokeStyle = ON_INFO;
  context.lineWidth = 4;
  context.lineCap = 'round';
  for (const r of [7, 14]) {
    context.beginPath();
    context.arc(x, y + 9, r, -2.36, -0.78);
    context.stroke();
  }
  context.fillStyle = ON_INFO;
  disc(context, x, y + 10, 3);
  context.beginPath();
  context.moveTo(x - 13, y + 12);
  context.lineTo(x + 13, y - 12);
  context.stroke();
}
