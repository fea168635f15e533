/** Roughly the scale of the panels around the arena, for things drawn in it at the same size. */
export function panelScale(widthPx: number): number {
  return Math.max(0.75, widthPx / 1920, Math.min(1, widthPx / 1620));
}
