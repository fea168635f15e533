import type { Lobby } from '@engulf/protocol/lobby';
import { useEffect } from 'react';
import type { ArenaVisit } from '../features/arena/arena-visit.ts';

/** The page shows either the menu or an arena. */
export type View =
  | {
      readonly name: 'menu';
      /** After "Play Again": the lobby whose entry popup opens by itself. */
      readonly reopenEntryOf?: string | undefined;
      readonly opensGames?: boolean;
    }
  | { readonly name: 'playing'; readonly visit: ArenaVisit };

type ViewEvent =
  | { readonly type: 'entered'; readonly lobby: Lobby; readonly joinTicket: string }
  | { readonly type: 'spectated'; readonly lobby: Lobby }
  | { readonly type: 'exited'; readonly toGames: boolean }
  | { readonly type: 'playAgain' };

export function nextView(view: View, event: ViewEvent): View {
  switch (event.type) {
    case 'entered': {
      const { lobby, joinTicket } = event;
      return { name: 'playing', visit: { type: 'player', lobby, joinTicket } };
    }
    case 'spectated':
      return { name: 'playing', visit: { type: 'spectator', lobby: event.lobby } };
    case 'exited':
      return { name: 'menu', opensGames: event.toGames };
    case 'playAgain':
      return { name: 'menu', reopenEntryOf: view.name === 'playing' ? view.visit.lobby.id : undefined };
  }
}

const GAMES_ROUTE = '/?tab=games';
const GAMES_ROUTE_RESET_MS = 2_000;

/** `?tab=games` opens the list of payouts; forfeits and refunds lead there. */
export function isGamesTabRequested(): boolean {
  return new URLSearchParams(window.location.search).get('tab') === 'games';
}

export function requestGamesTab(): void {
  window.history.replaceState(null, '', GAMES_ROUTE);
}

/** Resets the route to the root, so that a reload does not open the tab again. */
export function useGamesTabReset(): void {
  useEffect(() => {
    if (!isGamesTabRequested()) return;
    const timer = setTimeout(() => window.history.replaceState(null, '', '/'), GAMES_ROUTE_RESET_MS);
    return () => clearTimeout(timer);
  }, []);
}
