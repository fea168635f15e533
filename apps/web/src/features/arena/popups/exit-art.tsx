import { useCallback } from 'react';
import { drawPortal } from '../../../art/arena/draw-portal.ts';
import { ArtCanvas } from '../../../art/art-canvas.tsx';
import { drawCell } from '../../../art/draw-cell.ts';
import { drawFood } from '../../../art/draw-ground.ts';
import { seededRandom } from '../../../art/paint.ts';
import { PLAYER_COLOURS } from '../../../art/player-colour.ts';
import { usePictures } from '../../../art/use-pictures.ts';
import { defaultAvatarUrl } from '../../../ui/default-avatar.ts';

const WIDTH_PX = 680;
const HEIGHT_PX = 760;
const CENTRE = { x: 340, y: 346 } as const;

/** The own cell in the portal that it left by, under a shower of food. */
export function ExitArt({ name, avatarUrl }: { name: string; avatarUrl: string | null }) {
  const pictures = usePictures([avatarUrl ?? defaultAvatarUrl(name)]);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => {
      const { x, y } = CENTRE;
      context.save();
      context.translate(x, y);
      drawPortal(context, 116, true);
      context.restore();
      const random = seededRandom(44);
      for (let index = 0; index < 64; index++) {
        const angle = -Math.PI * (0.02 + random() * 0.96);
        const reach = 150 + random() * 160;
        const px = x + reach * Math.cos(angle) * 1.15;
        drawFood(context, px, y + reach * Math.sin(angle) * 0.82, 3 + random() * 7, index % 20);
      }
      const image = pictures?.[0];
      drawCell(context, {
        x,
        y: y - 3,
        r: 72,
        colours: PLAYER_COLOURS[0],
        seed: 3,
        ...(image && { nucleus: { image, share: 0.56 } }),
      });
    },
    [pictures],
  );
  return <ArtCanvas widthPx={WIDTH_PX} heightPx={HEIGHT_PX} draw={draw} />;
}
