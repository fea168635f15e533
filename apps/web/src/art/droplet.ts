import { blobOutline } from './membrane.ts';
import { mix, WHITE, withAlpha } from './paint.ts';
import type { ColourPair } from './palette.ts';

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
