import { useEffect } from 'react';
import { MENU_TIMING } from '../shared/menu-timing.ts';

const PARAMETER = 'tab';
const GAMES = 'games';

/** `?tab=games` opens the list of payouts: the address that a forfeit or a refund leads to. */
export function isGamesTabAsked(): boolean {
  return new URLSearchParams(window.location.search).get(PARAMETER) === GAMES;
}

export function askGamesTab(): void {
  window.history.replaceState(null, '', `/?${PARAMETER}=${GAMES}`);
}

/** The menu is at the root again a little later, so that a reload does not bring the tab back. */
export function useGamesTabReset(): void {
  useEffect(() => {
    if (!isGamesTabAsked()) return;
    const timer = setTimeout(
      () => window.history.replaceState(null, '', '/'),
      MENU_TIMING.gamesTabRouteResetMs,
    );
    return () => clearTimeout(timer);
  }, []);
}
