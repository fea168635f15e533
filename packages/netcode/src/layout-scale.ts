export type SizePx = { readonly widthPx: number; readonly heightPx: number };

/** The sizes the two views were drawn for. */
export const LAYOUT_REFERENCE = {
  menu: { widthPx: 1700, heightPx: 950 },
  game: { widthPx: 1920, heightPx: 1080 },
} as const satisfies { [view: string]: SizePx };

/** Narrower windows get the page that says mobile is not supported. */
export const MIN_WINDOW_WIDTH_PX = 1100;

/** The factor at which the reference layout fits the window whole. */
export function layoutScale(window: SizePx, reference: SizePx): number {
  return Math.min(window.widthPx / reference.widthPx, window.heightPx / reference.heightPx);
}

export function isWindowTooNarrow(widthPx: number): boolean {
  return widthPx < MIN_WINDOW_WIDTH_PX;
}
