import { disc, mix, seededRandom, withAlpha } from './paint.ts';

/*
 * A portal has three layers that turn at different speeds: light, whirl, and rings with sparks. Each is drawn
 * around the origin for a portal of radius r.
 */

const FLAME = '#FF9330';
const HOT = '#FFD28A';
const CREAM = '#FFF1D6';

/** How far each layer reaches, as a share of the radius. */
export const PORTAL_REACH = { light: 2.5, whirl: 1.1, rings: 2.3 } as const;

/** `isBright` is for the cash-out popup, where the portal is seen up close. */
export function drawPortal(context: CanvasRenderingContext2D, r: number, isBright: boolean): void {
  drawPortalLight(context, r);
  drawPortalWhirl(context, r, isBright);
  drawPortalRings(context, r);
}

export function drawPortalLight(context: CanvasRenderingContext2D, r: number): void {
  const light = context.createRadialGradient(0, 0, r * 0.5, 0, 0, r * PORTAL_REACH.light);
  light.addColorStop(0, withAlpha(FLAME, 0.5));
  light.addColorStop(0.35, withAlpha(FLAME, 0.17));
  light.addColorStop(1, withAlpha(FLAME, 0));
  context.fillStyle = light;
  disc(context, 0, 0, r * PORTAL_REACH.light);
}

export function drawPortalWhirl(context: CanvasRenderingContext2D, r: number, isBright = false): void {
  context.save();
  context.fillStyle = throat(context, r);
  disc(context, 0, 0, r);
  context.save();
  context.beginPath();
  context.arc(0, 0, r * 0.985, 0, 2 * Math.PI);
  context.clip();
  drawArms(context, r, isBright);
  const heart = context.createRadialGradient(0, 0, 0, 0, 0, r * 0.5);
  heart.addColorStop(0, 'rgba(255,251,240,1)');
  heart.addColorStop(0.35, 'rgba(255,236,196,.75)');
  heart.addColorStop(1, 'rgba(255,180,80,0)');
  context.fillStyle = heart;
  disc(context, 0, 0, r * 0.5);
  if (!isBright) {
    const shade = context.createRadialGradient(0, 0, r * 0.55, 0, 0, r);
    shade.addColorStop(0, 'rgba(22,8,2,0)');
    shade.addColorStop(1, 'rgba(22,8,2,.55)');
    context.fillStyle = shade;
    disc(context, 0, 0, r);
  }
  context.restore();
  strokeRing(context, r * 1.02, r * 0.085, FLAME);
  strokeRing(context, r * 1.02, r * 0.03, withAlpha(CREAM, 0.95));
  context.restore();
}

export function drawPortalRings(context: CanvasRenderingContext2D, r: number): void {
  context.save();
  context.setLineDash([r * 0.34, r * 0.13]);
  strokeRing(context, r * 1.2, r * 0.022, withAlpha(FLAME, 0.8));
  context.setLineDash([r * 0.34, r * 0.26]);
  strokeRing(context, r * 1.33, r * 0.014, withAlpha(FLAME, 0.45));
  context.setLineDash([]);
  const random = seededRandom(8);
  for (let spark = 0; spark < 26; spark++) {
    const angle = random() * 2 * Math.PI;
    const reach = 1.1 + random() * 1.1;
    const size = r * (0.012 + random() * 0.026);
    context.fillStyle = withAlpha(random() < 0.4 ? CREAM : FLAME, 0.85 * (1 - (reach - 1.1) / 1.3));
    context.save();
    context.translate(r * reach * Math.cos(angle), r * reach * Math.sin(angle));
    context.rotate(angle + 1.9);
    context.beginPath();
    context.ellipse(0, 0, size * 3, size * 0.8, 0, 0, 2 * Math.PI);
    context.fill();
    context.restore();
  }
  context.restore();
}

function throat(context: CanvasRenderingContext2D, r: number): CanvasGradient {
  const throat = context.createRadialGradient(0, 0, 0, 0, 0, r);
  throat.addColorStop(0, '#FFF3DC');
  throat.addColorStop(0.16, HOT);
  throat.addColorStop(0.42, mix(FLAME, '#7A2F00', 0.45));
  throat.addColorStop(0.8, '#2A1204');
  throat.addColorStop(1, '#160A04');
  return throat;
}

const ARMS = 7;
const ARM_STEPS = 40;

function drawArms(context: CanvasRenderingContext2D, r: number, isBright: boolean): void {
  const fire = context.createRadialGradient(0, 0, 0, 0, 0, r);
  fire.addColorStop(0, '#FFFBF0');
  if (isBright) {
    fire.addColorStop(0.6, CREAM);
    fire.addColorStop(0.74, '#FFC867');
    fire.addColorStop(0.9, FLAME);
  } else {
    fire.addColorStop(0.22, HOT);
    fire.addColorStop(0.6, FLAME);
  }
  fire.addColorStop(1, mix(FLAME, '#7A2F00', isBright ? 0.12 : 0.55));
  context.fillStyle = fire;
  context.globalAlpha = 0.92;
  const width = isBright ? 0.42 : 0.2;
  for (let arm = 0; arm < ARMS; arm++) {
    const start = (arm / ARMS) * 2 * Math.PI + 0.6;
    context.beginPath();
    for (let step = 0; step <= ARM_STEPS; step++) spiralTo(context, r, step / ARM_STEPS, start);
    for (let step = ARM_STEPS; step >= 0; step -= 1) {
      const along = step / ARM_STEPS;
      spiralTo(context, r, along, start + width + 0.28 * along);
    }
    context.closePath();
    context.fill();
  }
  context.globalAlpha = 1;
}

function spiralTo(context: CanvasRenderingContext2D, r: number, along: number, start: number): void {
  const reach = r * (1 - along) ** 1.15;
  const angle = start + along * 3.6;
  context.lineTo(reach * Math.cos(angle), reach * Math.sin(angle));
}

function strokeRing(context: CanvasRenderingContext2D, r: number, width: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.arc(0, 0, r, 0, 2 * Math.PI);
  context.stroke();
}
