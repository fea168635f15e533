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
