/** Membrane thickness: 7 % of the radius, never thinner than 4 nor thicker than 14. */
export function borderThickness(radius: number): number {
  return Math.min(14, Math.max(4, radius * 0.07));
}

export function isLabelShown(radius: number): boolean {
  return radius > 12;
}

/** Spawn invulnerability: half transparent, and blinking once the end is near. */
export const INVULNERABLE_LOOK = { alpha: 0.5, blinksFromS: 4 } as const;

export function isBlinking(invulnerableForS: number): boolean {
  return invulnerableForS > 0 && invulnerableForS <= INVULNERABLE_LOOK.blinksFromS;
}
