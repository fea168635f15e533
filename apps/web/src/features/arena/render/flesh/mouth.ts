import { reachAt, type SoftBody } from './soft-body.ts';

export const MOUTH_POINTS = 48;

export type Mouth = { readonly opening: Float32Array; readonly outer: Float32Array };

type Prey = { readonly x: number; readonly y: number; readonly radius: number };

type Eater = { readonly body: SoftBody; readonly radius: number; readonly inset: number };

const CIRCLE = Array.from({ length: MOUTH_POINTS }, (_, i) => {
  const angle = (i / MOUTH_POINTS) * 2 * Math.PI;
  return [Math.cos(angle), Math.sin(angle)] as const;
});

export function createMouth(): Mouth {
  return { opening: new Float32Array(MOUTH_POINTS * 2), outer: new Float32Array(MOUTH_POINTS * 2) };
}

/**
 * Two lips that close over prey: the opening starts as wide as the prey and ends as a line. The prey is relative to the
 * eater's centre; the lips extend at most to `inset` inside the eater's own membrane.
 */
export function closeMouth(mouth: Mouth, prey: Prey, eater: Eater, closed: number): void {
  const heading = Math.atan2(prey.y, prey.x);
  const [ux, uy] = [Math.cos(heading), Math.sin(heading)];
  const wide = prey.radius * 1.12 * (1 - closed ** 3);
  const gape = (1 - closed) * prey.radius * 1.12;
  for (let i = 0; i < MOUTH_POINTS; i++) {
    const [cos, sin] = CIRCLE[i]!;
    // A lens: pointed at both corners of the mouth, more so the more it closes.
    const across = gape * sin * (1 - closed * 0.35 * cos * cos);
    const along = wide * cos;
    placeInside(
      mouth.opening,
      i,
      prey.x + ux * along - uy * across,
      prey.y + uy * along + ux * across,
      eater,
    );
    const reach = prey.radius * 1.22;
    const x = prey.x + reach * (ux * cos - uy * sin);
    const y = prey.y + reach * (uy * cos + ux * sin);
    placeInside(mouth.outer, i, x, y, eater);
  }
}

function placeInside(
  xy: Float32Array,
  i: number,
  x: number,
  y: number,
  { body, radius, inset }: Eater,
): void {
  const most = Math.max(0, radius * reachAt(body, Math.atan2(y, x)) - inset);
  const distance = Math.hypot(x, y);
  const share = distance > most ? most / distance : 1;
  xy[2 * i] = x * share;
  xy[2 * i + 1] = y * share;
}
