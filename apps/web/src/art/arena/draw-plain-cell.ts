import { borderThickness } from '../cell-look.ts';
import { disc, mix, WHITE } from '../paint.ts';
import type { ColourPair } from '../player-colour.ts';

/** A cell without granules, glow and highlight: what is left when the connection or the machine is slow. */
export function drawPlainCell(
  context: CanvasRenderingContext2D,
  centre: number,
  r: number,
  [fill, membrane]: ColourPair,
): void {
  const plasma = context.createRadialGradient(
    centre - r * 0.28,
    centre - r * 0.34,
    r * 0.08,
    centre,
    centre,
    r,
  );
  plasma.addColorStop(0, mix(fill, WHITE, 0.3));
  plasma.addColorStop(0.42, fill);
  plasma.addColorStop(1, mix(fill, membrane, 0.55));
  context.fillStyle = plasma;
  disc(context, centre, centre, r);
  const width = borderThickness(r);
  context.strokeStyle = membrane;
  context.lineWidth = width;
  context.beginPath();
  context.arc(centre, centre, r - width / 2, 0, 2 * Math.PI);
  context.stroke();
  context.strokeStyle = mix(fill, WHITE, 0.22);
  context.lineWidth = width * 0.3;
  context.stroke();
}
