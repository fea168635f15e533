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

/**
 * What the panels need at scale 1: the figures between two columns across, and down the leaderboard above the portals and
 * the map.
 */
const HUD_NEEDS: SizePx = { widthPx: 1130, heightPx: 910 };

/** The player's own size, as far as no panel would lie on another. */
export function ownHudScale(window: SizePx, uiScale: number): number {
  const { widthPx, heightPx } = window;
  const most = Math.min(widthPx / HUD_NEEDS.widthPx, heightPx / HUD_NEEDS.heightPx);
  return Math.min(hudScale(window) * uiScale, most);
}

/** The smallest window in which the whole menu can be read. */
const MENU_NEEDS: SizePx = { widthPx: MIN_WINDOW_WIDTH_PX, heightPx: 620 };
/** On a big screen the same picture, larger. */
const BIG = { widthPx: 2200, heightPx: 1250, scale: 1.25 } as const;

/** What the style sheets of the menu ask about the room that it has. */
const FITS = {
  small: ({ widthPx, heightPx }) => widthPx < 1760 || heightPx <= 920,
  /** For three columns, only just. */
  tight: ({ widthPx }) => widthPx >= 1240 && widthPx < 1340,
  narrow: ({ widthPx }) => widthPx < 1240,
  short: ({ heightPx }) => heightPx <= 1120,
  low: ({ heightPx }) => heightPx <= 860,
} as const satisfies Record<string, (room: SizePx) => boolean>;

/** The menu in the player's own size, as far as all of it has room, and the layouts for the room that is left to it. */
export function fitMenu(window: SizePx, uiScale: number) {
  const { widthPx, heightPx } = window;
  const isBig = widthPx >= BIG.widthPx && heightPx >= BIG.heightPx;
  const wanted = (isBig ? BIG.scale : 1) * uiScale;
  const most = Math.min(widthPx / MENU_NEEDS.widthPx, heightPx / MENU_NEEDS.heightPx);
  const scale = Math.min(wanted, Math.max(1, most));
  const room = { widthPx: widthPx / scale, heightPx: heightPx / scale };
  const fits = Object.entries(FITS).flatMap(([name, isSo]) => (isSo(room) ? [name] : []));
  return { scale, fits };
}

/** Such a window gets the page that says mobile is not supported. */
export function isWindowTooNarrow(widthPx: number): boolean {
  return widthPx < MIN_WINDOW_WIDTH_PX;
}
