export const MENU_TIMING = {
  /** `?tab=games` stays in the address this long. */
  gamesTabRouteResetMs: 2_000,
  walletDisconnectTimeoutMs: 2_000,
} as const;

export const SHARE_CARD = { widthPx: 1_200, heightPx: 630, pixelRatio: 2 } as const;
