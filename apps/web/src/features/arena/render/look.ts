/** How the player wants the arena to look. */
export type Look = {
  readonly showBorder: boolean;
  readonly showMass: boolean;
  readonly roundFood: boolean;
  readonly isDark: boolean;
  /** '#rrggbb', or undefined for the theme's own. */
  readonly backgroundColor: string | undefined;
  readonly lineColor: string | undefined;
  readonly splitRedFlash: boolean;
  readonly splitYellowRipple: boolean;
  readonly isColourBlind: boolean;
};

/** Whether text on the ground has to be dark. */
export function hasLightGround({ isDark, backgroundColor }: Look): boolean {
  if (backgroundColor === undefined) return !isDark;
  const rgb = Number.parseInt(backgroundColor.slice(1), 16);
  return (rgb >> 16) + ((rgb >> 8) & 255) + (rgb & 255) > 382;
}
