import { useCallback } from 'react';
import { ArtCanvas, usePictures } from '../../../art/art-canvas.tsx';
import { useCellColours } from '../../../art/cell-colours.ts';
import { defaultAvatarUrl } from '../../../art/default-avatar.ts';
import { drawCell } from '../../../art/draw-cell.ts';
import { drawCrystal, drawFood } from '../../../art/draw-food.ts';
import { drawVirus } from '../../../art/draw-virus.ts';
import { useSetting } from '../../../shared/settings.ts';

const SIZE = { widthPx: 330, heightPx: 140 } as const;
const FOOD = [
  [40, 52, 5, 3],
  [82, 110, 7, 9],
  [126, 46, 6, 14],
  [250, 108, 7, 1],
  [296, 58, 5, 6],
  [214, 40, 4, 17],
] as const;

const OWN = { x: 172, y: 80, r: 48 } as const;
const OTHER = { x: 296, y: 96, r: 20 } as const;
/** One of the bots' names. */
const OTHER_NAME = 'Mochi';

/** A corner of the arena as the settings make it, with the player in it. */
export function LookPreview({ own }: { own: { name: string; avatarUrl: string | null } }) {
  const [showBorder] = useSetting('showBorder');
  const [showMass] = useSetting('showMass');
  const [roundFood] = useSetting('roundFood');
  const [isDark] = useSetting('darkMode');
  const [background = isDark ? '#0f1d1a' : '#E3DCC8'] = useSetting('backgroundColor');
  const [line = isDark ? '#D6E8DE' : '#15201D'] = useSetting('lineColor');
  const palette = useCellColours();
  const pictures = usePictures([own.avatarUrl ?? defaultAvatarUrl(own.name), defaultAvatarUrl(OTHER_NAME)]);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => {
      const { widthPx, heightPx } = SIZE;
      context.fillStyle = background;
      context.fillRect(0, 0, widthPx, heightPx);
      context.globalAlpha = 0.14;
      context.fillStyle = line;
      for (let x = 14; x < widthPx; x += 34) context.fillRect(x, 0, 1, heightPx);
      for (let y = 20; y < heightPx; y += 34) context.fillRect(0, y, widthPx, 1);
      context.globalAlpha = 1;
      for (const [x, y, r, colour] of FOOD) (roundFood ? drawFood : drawCrystal)(context, x, y, r, colour);
      drawVirus(context, 62, 84, 22, 4);
      const [ownFace, otherFace] = pictures ?? [];
      drawCell(context, {
        ...OWN,
        colours: palette[6],
        seed: 3,
        ...(ownFace && { nucleus: { image: ownFace, share: 0.44, dy: -OWN.r * 0.16 } }),
      });
      drawCell(context, {
        ...OTHER,
        colours: palette[10],
        seed: 5,
        ...(otherFace && { nucleus: { image: otherFace, share: 0.56 } }),
      });
      context.strokeStyle = '#FF6F91';
      context.lineWidth = 3;
      context.beginPath();
      context.arc(OWN.x, OWN.y, OWN.r + 5, 0, 2 * Math.PI);
      context.stroke();
      write(context, own.name, `400 14px ${DISPLAY}`, OWN.x, OWN.y + 26);
      write(context, OTHER_NAME, `400 12px ${DISPLAY}`, OTHER.x, OTHER.y + 34);
      if (showMass) write(context, '386', '700 11px "Onest Variable", sans-serif', OWN.x, OWN.y + 39);
      if (!showBorder) return;
      context.fillStyle = '#C7385F';
      context.fillRect(0, 10, widthPx, 8);
      context.fillStyle = '#FF8FA8';
      context.fillRect(0, 13, widthPx, 2.5);
    },
    [showBorder, showMass, roundFood, background, line, palette, pictures, own.name],
  );
  return <ArtCanvas {...SIZE} draw={draw} />;
}

const DISPLAY = '"Bagel Fat One", sans-serif';

function write(context: CanvasRenderingContext2D, text: string, font: string, x: number, y: number): void {
  context.font = font;
  context.textAlign = 'center';
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = 'rgba(6,11,10,.85)';
  context.strokeText(text, x, y);
  context.fillStyle = '#F5F2E7';
  context.fillText(text, x, y);
}
