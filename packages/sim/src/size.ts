import { powExact } from './exact-math.ts';

/**
 * How wide a body of some mass is: radius = factor · mass^(eighths / 8), in world units. With 4 eighths that is a square
 * root. With 3 it grows more slowly, so that a large cell leaves room on the screen. Roots of roots are exact in every
 * engine; a power would not be.
 */
export type SizeLaw = { readonly factor: number; readonly eighths: number };

/** For cells, ejected mass and viruses. */
export function massToRadius({ factor, eighths }: SizeLaw, mass: number): number {
  const half = Math.sqrt(mass);
  if (eighths === 4) return factor * half;
  const quarter = Math.sqrt(half);
  return factor * (quarter * Math.sqrt(quarter));
}

export function radiusToMass({ factor, eighths }: SizeLaw, radius: number): number {
  if (eighths === 4) return (radius * radius) / (factor * factor);
  return radius > 0 ? powExact(radius / factor, 8 / eighths) : 0;
}

/** Food of mass 2 has a rounded radius on the wire and on the screen. */
export function foodRadius(mass: number): number {
  return mass === 2 ? 14.14 : 10 * Math.sqrt(mass);
}
