import { blobOutline, borderThickness, type Circle } from './membrane.ts';
import { disc, INK, mix, seededRandom, WHITE, withAlpha } from './paint.ts';
import type { ColourPair } from './palette.ts';

type CellPicture = Circle & {
  readonly colours: ColourPair;
  readonly seed: number;
  readonly outline?: Path2D;
  /** The portrait in the middle: its size as a share of the radius, and its offset from the centre. */
  readonly nucleus?: {
    readonly image: CanvasImageSource;
    readonly share: number;
    readonly dx?: number;
    readonly dy?: number;
  };
};

export function drawCell(context: CanvasRenderingContext2D, cell: CellPicture): void {
  const outline = cell.outline ?? blobOutline(cell, cell.seed);
  const [fill, membrane] = cell.colours;

  context.save();
  context.shadowColor = withAlpha(fill, 0.38);
  context.shadowBlur = Math.min(60, cell.r * 0.34);
  context.fillStyle = membrane;
  context.fill(outline);
  context.restore();

  context.save();
  context.clip(outline);
  drawPlasma(context, cell);
  drawMembrane(context, cell, outline);
  if (cell.r > 22) drawHighlight(context, cell);
  context.restore();
  drawNucleus(context, cell);
}

/** Plasma without an outline, for the arena, which cuts the shape of a cell out of it. */
export function drawPlasmaPicture(
  context: CanvasRenderingContext2D,
  cell: CellPicture,
  sidePx: number,
): void {
  context.fillStyle = mix(cell.colours[1], INK, 0.1);
  context.fillRect(cell.x - sidePx / 2, cell.y - sidePx / 2, sidePx, sidePx);
  drawPlasma(context, cell);
  drawHighlight(context, cell);
}

function drawPlasma(context: CanvasRenderingContext2D, { x, y, r, colours, seed }: CellPicture): void {
  const [fill, membrane] = colours;
  const glow = context.createRadialGradient(x - r * 0.28, y - r * 0.34, r * 0.08, x, y, r * 1.08);
  glow.addColorStop(0, mix(fill, WHITE, 0.3));
  glow.addColorStop(0.42, fill);
  glow.addColorStop(0.8, mix(fill, membrane, 0.45));
  glow.addColorStop(1, mix(membrane, INK, 0.1));
  context.fillStyle = glow;
  context.fillRect(x - r * 1.8, y - r * 1.8, r * 3.6, r * 3.6);
  if (r <= 26) return;

  const random = seededRandom(seed * 131 + 7);
  const at = (reach: number) => {
    const angle = random() * 2 * Math.PI;
    return { angle, px: x + reach * Math.cos(angle), py: y + reach * Math.sin(angle) };
  };
  const granules = Math.min(70, 10 + Math.trunc(r / 3));
  for (let index = 0; index < granules; index++) {
    const { px, py } = at(Math.sqrt(random()) * r * 0.92);
    context.fillStyle =
      random() < 0.5 ? withAlpha(mix(fill, WHITE, 0.75), 0.3) : withAlpha(mix(membrane, INK, 0.35), 0.32);
    disc(context, px, py, r * (0.008 + random() * 0.016));
  }
  context.fillStyle = withAlpha(mix(fill, WHITE, 0.6), 0.16);
  context.strokeStyle = withAlpha(mix(fill, WHITE, 0.7), 0.38);
  context.lineWidth = Math.max(1, r * 0.01);
  for (let vacuole = 0; vacuole < 7; vacuole++) {
    const { px, py } = at(r * (0.58 + random() * 0.26));
    disc(context, px, py, r * (0.045 + random() * 0.06));
    context.stroke();
  }
  for (let rod = 0; rod < 5; rod++) {
    const { angle, px, py } = at(r * (0.56 + random() * 0.26));
    drawMitochondrion(context, px, py, angle + 1.2 + random(), r, colours);
  }
}

function drawMitochondrion(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  angle: number,
  r: number,
  [fill, membrane]: ColourPair,
): void {
  const half = r * 0.075;
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.lineCap = 'round';
  context.strokeStyle = withAlpha(mix(membrane, INK, 0.2), 0.5);
  context.lineWidth = r * 0.062;
  context.beginPath();
  context.moveTo(-half, 0);
  context.lineTo(half, 0);
  context.stroke();
  context.strokeStyle = withAlpha(mix(fill, WHITE, 0.45), 0.5);
  context.lineWidth = Math.max(1, r * 0.014);
  context.beginPath();
  context.moveTo(-half, 0);
  context.quadraticCurveTo(-half / 2, -r * 0.03, 0, 0);
  context.quadraticCurveTo(half / 2, r * 0.03, half, 0);
  context.stroke();
  context.restore();
}

/** A bilayer: how far each line reaches inwards from the outline, as a share of the membrane's thickness. */
export function membraneLines([fill, membrane]: ColourPair): readonly (readonly [
  reach: number,
  colour: string,
])[] {
  return [
    [1.05, membrane],
    [0.575, mix(fill, WHITE, 0.22)],
    [0.31, mix(membrane, fill, 0.35)],
  ];
}

function drawMembrane(context: CanvasRenderingContext2D, { r, colours }: CellPicture, outline: Path2D): void {
  const width = borderThickness(r);
  for (const [reach, colour] of membraneLines(colours)) {
    // Only the inner half of a line is seen: the outline is the clip.
    context.lineWidth = 2 * width * reach;
    context.strokeStyle = colour;
    context.stroke(outline);
  }
}

function drawHighlight(context: CanvasRenderingContext2D, { x, y, r }: Circle): void {
  context.save();
  // A blur is not scaled along with the rest.
  context.filter = `blur(${Math.max(1.5, r * 0.03) * context.getTransform().a}px)`;
  context.strokeStyle = 'rgba(255,255,255,.5)';
  context.lineCap = 'round';
  context.lineWidth = r * 0.075;
  context.beginPath();
  context.arc(x, y, r * 0.8, 3.55, 4.45);
  context.stroke();
  context.lineWidth = r * 0.06;
  context.beginPath();
  context.arc(x, y, r * 0.8, 4.68, 4.8);
  context.stroke();
  context.restore();
}

function drawNucleus(context: CanvasRenderingContext2D, { x, y, r, colours, nucleus }: CellPicture): void {
  const dark = mix(colours[1], INK, 0.55);
  if (!nucleus) {
    if (r <= 20) return;
    context.fillStyle = withAlpha(dark, 0.75);
    context.beginPath();
    context.ellipse(x + r * 0.08, y + r * 0.06, r * 0.32, r * 0.28, 0.4, 0, 2 * Math.PI);
    context.fill();
    return;
  }
  const nx = x + (nucleus.dx ?? 0);
  const ny = y + (nucleus.dy ?? 0);
  const nr = r * nucleus.share;
  context.fillStyle = withAlpha(dark, 0.9);
  disc(context, nx, ny, nr + Math.max(2, r * 0.03));
  context.save();
  context.beginPath();
  context.arc(nx, ny, nr, 0, 2 * Math.PI);
  context.clip();
  context.drawImage(nucleus.image, nx - nr, ny - nr, nr * 2, nr * 2);
  context.restore();
}
