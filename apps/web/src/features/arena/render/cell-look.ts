export function isLabelShown(radius: number): boolean {
  return radius > 12;
}

/** Freshly spawned cells are translucent and blink shortly before they become edible. */
export const INVULNERABLE_LOOK = { alpha: 0.5, ownAlpha: 0.72, blinksFromS: 4 } as const;

export function isBlinking(invulnerableForS: number): boolean {
  return invulnerableForS > 0 && invulnerableForS <= INVULNERABLE_LOOK.blinksFromS;
}

/** A smaller cell shows its portrait large and its name outside. */
export const LABELLED_FROM_PX = 60;

/** A smaller cell shows no portrait. */
export const NUCLEUS_FROM_PX = 20;

/** The portrait moves out of the way of the name over this range, instead of jumping. */
const TRANSITION_PX = 16;

/** Size of the nucleus and its height above the centre, as shares of the cell's radius. */
export function nucleusPlace(radiusPx: number): { readonly share: number; readonly rise: number } {
  const room = Math.min(1, Math.max(0, (radiusPx - LABELLED_FROM_PX) / TRANSITION_PX + 0.5));
  return { share: 0.56 - 0.12 * room, rise: 0.12 * room };
}
