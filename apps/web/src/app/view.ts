import type { Lobby } from '@engulf/protocol/lobby';
import { useEffect } from 'react';
import type { ArenaSession } from '../features/arena/arena-visit.ts';
import { MENU_TIMING } from '../shared/menu-timing.ts';

/** The page cycles between two views. */
export type View =
  | {
      readonly name: 'menu';
      /** Comes from "play again": the entry popup of this lobby opens by itself. */
      readonly reopenEntryOf?: string | undefined;
      readonly opensGames?: boolean;
    }
  | { readonly name: 'playing'; readonly session: ArenaSession };

export type ViewEvent =
  | {
      readonly type: 'entered';
      readonly lobby: Lobby;
      readonly sessionId: string;
      readonly joinTicket: string;
    }
  | { readonly type: 'spectated'; readonly lobby: Lobby }
  | { readonly type: 'exited'; readonly toGames: boolean }
  | { readonly type: 'playAgain' };

export function nextView(view: View, event: ViewEvent): View {
  switch (event.type) {
    case 'entered': {
      const { lobby, sessionId, joinTicket } = event;
      return { name: 'playing', session: { type: 'player', lobby, sessionId, joinTicket } };
    }
    case 'spectated':
      return { name: 'playing', session: { type: 'spectator', lobby: event.lobby } };
    case 'exited':
      return { name: 'menu', opensGames: event.toGames };
    case 'playAgain':
      return { name: 'menu', reopenEntryOf: view.name === 'playing' ? view.session.lobby.id : undefined };
  }
}

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
