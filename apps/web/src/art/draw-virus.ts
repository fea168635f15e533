import { disc, seededRandom } from './paint.ts';

/** Spikes reach this far out, as a share of the radius. */
export const VIRUS_REACH = 1.3;

/** Green and faceted, with knobbed spikes. */
export function drawVirus(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  r: number,
  seed: number,
): void {
  context.save();
  context.translate(x, y);
  drawSpikes(context, r, seed);
  context.save();
  context.shadowColor = 'rgba(158,220,72,.4)';
  context.shadowBlur = r * 0.4;
  const core = context.createRadialGradient(-r * 0.3, -r * 0.35, r * 0.1, 0, 0, r);
  core.addColorStop(0, '#7FB94A');
  core.addColorStop(0.6, '#3F6F2C');
  core.addColorStop(1, '#22431D');
  context.fillStyle = core;
  disc(context, 0, 0, r);
  context.restore();
  context.beginPath();
  context.arc(0, 0, r, 0, 2 * Math.PI);
  context.clip();
  drawFacets(context, r, seed);
  drawShell(context, r);
  context.restore();
}

function drawSpikes(context: CanvasRenderingContext2D, r: number, seed: number): void {
  const random = seededRandom(seed * 91);
  const count = Math.round(18 + Math.min(60, r) / 8);
  context.strokeStyle = '#79B83C';
  context.fillStyle = '#C6F26B';
  context.lineCap = 'round';
  context.lineWidth = r * 0.06;
  for (let spike = 0; spike < count; spike++) {
    const angle = (spike / count) * 2 * Math.PI + 0.1 * random();
    const tip = r * (1.14 + 0.05 * random());
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    context.beginPath();
    context.moveTo(r * 0.9 * cos, r * 0.9 * sin);
    context.lineTo(tip * cos, tip * sin);
    context.stroke();
    disc(context, (tip + r * 0.03) * cos, (tip + r * 0.03) * sin, r * 0.06);
  }
}

function drawFacets(context: CanvasRenderingContext2D, r: number, seed: number): void {
  const corners = Array.from({ length: 6 }, (_, index) => {
    const angle = (index / 6) * 2 * Math.PI + 0.4 + seed;
    return { x: Math.cos(angle), y: Math.sin(angle) };
  });
  context.strokeStyle = 'rgba(198,242,107,.42)';
  context.lineWidth = Math.max(1.5, r * 0.03);
  const inner = r * 0.56;
  context.beginPath();
  corners.forEach((corner, index) => {
    const next = corners[(index + 1) % 6]!;
    context.moveTo(corner.x * inner, corner.y * inner);
    context.lineTo(next.x * inner, next.y * inner);
    context.moveTo(corner.x * inner, corner.y * inner);
    context.lineTo(corner.x * r, corner.y * r);
    if (index % 2 === 0) {
      const [before, after] = [corners[(index + 5) % 6]!, next];
      context.moveTo(before.x * inner, before.y * inner);
      context.lineTo(after.x * inner, after.y * inner);
    }
  });
  context.stroke();
}

function drawShell(context: CanvasRenderingContext2D, r: number): void {
  context.beginPath();
  context.arc(0, 0, r, 0, 2 * Math.PI);
  context.lineWidth = Math.max(5, r * 0.13);
  context.strokeStyle = '#A9DE52';
  context.stroke();
  context.lineWidth = Math.max(1.5, r * 0.04);
  context.strokeStyle = '#5C9230';
  context.stroke();
}
