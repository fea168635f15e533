import { blobOutline } from './membrane.ts';
import { disc, mix, WHITE, withAlpha } from './paint.ts';
import type { ColourPair } from './palette.ts';

/** Thickness of the membrane: 7 % of the radius, clamped to 4 to 14. */
export function borderThickness(radius: number): number {
  return Math.min(14, Math.max(4, radius * 0.07));
}

/** A cell without granules, glow and highlight, for slow connections and machines. */
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

/** A drop of ejected mass. */
export function drawDroplet(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  r: number,
  [fill, membrane]: ColourPair,
  seed: number,
): void {
  const outline = blobOutline({ x, y, r }, seed, 0.04);
  context.save();
  context.shadowColor = withAlpha(fill, 0.5);
  context.shadowBlur = r * 0.8;
  const plasma = context.createRadialGradient(x - r * 0.3, y - r * 0.3, Math.min(1, r * 0.1), x, y, r);
  plasma.addColorStop(0, mix(fill, WHITE, 0.4));
  plasma.addColorStop(0.7, fill);
  plasma.addColorStop(1, membrane);
  context.fillStyle = plasma;
  context.fill(outline);
  context.shadowBlur = 0;
  context.lineWidth = Math.min(r * 0.18, 1.5 + r * 0.05);
  context.strokeStyle = membrane;
  context.stroke(outline);
  context.restore();
}
