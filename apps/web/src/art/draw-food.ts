import { disc, INK, mix, seededRandom, withAlpha } from './paint.ts';
import { FOOD_COLOURS, foodColour } from './palette.ts';

export function drawFood(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  r: number,
  colourIndex: number,
): void {
  const colour = foodColour(colourIndex);
  context.fillStyle = withAlpha(colour, 0.16);
  disc(context, x, y, r * 1.65);
  context.fillStyle = colour;
  disc(context, x, y, r);
  context.fillStyle = mix(colour, INK, 0.35);
  disc(context, x + r * 0.12, y + r * 0.16, r * 0.42);
  context.fillStyle = 'rgba(255,255,255,.55)';
  disc(context, x - r * 0.36, y - r * 0.4, r * 0.2);
}

/** Food for those who want it with corners. */
export function drawCrystal(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  r: number,
  colourIndex: number,
): void {
  const colour = foodColour(colourIndex);
  for (const [share, fill] of [
    [1.1, colour],
    [0.5, mix(colour, INK, 0.35)],
  ] as const) {
    context.fillStyle = fill;
    context.beginPath();
    for (let corner = 0; corner < 6; corner++) {
      const angle = (corner / 6) * 2 * Math.PI + 0.3;
      context.lineTo(x + r * share * Math.cos(angle), y + r * share * Math.sin(angle));
    }
    context.closePath();
    context.fill();
  }
}

const CLUSTERS = 16;
const MASSES = [1, 1, 1, 2, 2, 4] as const;

/** Food over the whole area, half of it in clusters, except where `isFree` says that text is. */
export function scatterFood(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  options: { count: number; seed: number; isFree: (x: number, y: number) => boolean },
): void {
  const random = seededRandom(options.seed);
  const centres = Array.from({ length: CLUSTERS }, () => [random() * width, random() * height] as const);
  for (let index = 0; index < options.count; index++) {
    const centre = random() < 0.45 ? centres[Math.trunc(random() * CLUSTERS)] : undefined;
    const x = centre ? centre[0] + (random() + random() - 1) * 190 : random() * width;
    const y = centre ? centre[1] + (random() + random() - 1) * 150 : random() * height;
    const mass = MASSES[Math.trunc(random() * MASSES.length)]!;
    const colourIndex = Math.trunc(random() * FOOD_COLOURS.length);
    if (options.isFree(x, y)) drawFood(context, x, y, 5.4 * Math.sqrt(mass), colourIndex);
  }
}
