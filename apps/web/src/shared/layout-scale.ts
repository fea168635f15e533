import { REFERENCE_SCREEN, type SizePx } from '@engulf/netcode/camera';

const MIN_WINDOW_WIDTH_PX = 1100;

/** The factor at which the reference screen fits the window whole. */
function fitScale({ widthPx, heightPx }: SizePx): number {
  return Math.min(widthPx / REFERENCE_SCREEN.widthPx, heightPx / REFERENCE_SCREEN.heightPx);
}

/** Panels are a little larger in small windows than would be in proportion, or their text could not be read. */
const SMALL_WINDOW_BONUS = 1.18;
const MIN_HUD_SCALE = 0.72;

export function hudScale(window: SizePx): number {
  const scale = fitScale(window);
  return Math.max(scale, MIN_HUD_SCALE, Math.min(1, scale * SMALL_WINDOW_BONUS));
}

/** Such a window gets the page that says mobile is not supported. */
export function isWindowTooNarrow(widthPx: number): boolean {
  return widthPx < MIN_WINDOW_WIDTH_PX;
}
