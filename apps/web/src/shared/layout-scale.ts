import { REFERENCE_SCREEN, type SizePx } from '@engulf/netcode/camera';

const MIN_WINDOW_WIDTH_PX = 1100;

/** The factor at which the reference screen fits the window whole. */
export function fitScale({ widthPx, heightPx }: SizePx): number {
  return Math.min(widthPx / REFERENCE_SCREEN.widthPx, heightPx / REFERENCE_SCREEN.heightPx);
}

/** Such a window gets the page that says mobile is not supported. */
export function isWindowTooNarrow(widthPx: number): boolean {
  return widthPx < MIN_WINDOW_WIDTH_PX;
}
