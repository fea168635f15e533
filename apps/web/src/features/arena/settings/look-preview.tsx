import { useCallback } from 'react';
import { ArtCanvas } from '../../../art/art-canvas.tsx';
import { drawCell } from '../../../art/draw-cell.ts';
import { drawCrystal, drawFood } from '../../../art/draw-food.ts';
import { COLOUR_BLIND_COLOURS, PLAYER_COLOURS } from '../../../art/palette.ts';
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

/** A corner of the arena as the settings make it. */
export function LookPreview() {
  const [showBorder] = useSetting('showBorder');
  const [showMass] = useSetting('showMass');
  const [roundFood] = useSetting('roundFood');
  const [isDark] = useSetting('darkMode');
  const [background = isDark ? '#0f1d1a' : '#E3DCC8'] = useSetting('backgroundColor');
  const [line = isDark ? '#D6E8DE' : '#15201D'] = useSetting('lineColor');
  const [isColourBlind] = useSetting('colourBlind');
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
      const palette = isColourBlind ? COLOUR_BLIND_COLOURS : PLAYER_COLOURS;
      drawCell(context, { x: 172, y: 78, r: 46, colours: palette[6], seed: 3 });
      drawCell(context, { x: 282, y: 92, r: 20, colours: palette[10], seed: 5 });
      context.strokeStyle = '#FF6F91';
      context.lineWidth = 3;
      context.beginPath();
      context.arc(172, 78, 51, 0, 2 * Math.PI);
      context.stroke();
      if (showMass) {
        context.font = '700 14px "Onest Variable", sans-serif';
        context.textAlign = 'center';
        context.lineWidth = 4;
        context.strokeStyle = 'rgba(6,11,10,.85)';
        context.strokeText('386', 172, 108);
        context.fillStyle = '#F5F2E7';
        context.fillText('386', 172, 108);
      }
      if (!showBorder) return;
      context.fillStyle = '#C7385F';
      context.fillRect(0, 10, widthPx, 8);
      context.fillStyle = '#FF8FA8';
      context.fillRect(0, 13, widthPx, 2.5);
    },
    [showBorder, showMass, roundFood, background, line, isColourBlind],
  );
  return <ArtCanvas {...SIZE} draw={draw} />;
}
