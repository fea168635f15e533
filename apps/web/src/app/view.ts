import type { Lobby } from '@engulf/protocol/lobby';
import { useEffect } from 'react';
import type { ArenaVisit } from '../features/arena/arena-visit.ts';
import type { LeftGame } from '../features/stats-feed/games-list.tsx';
import { isFreeLobby } from '../shared/lobby-money.ts';
import { latestLobby } from '../shared/stores/menu-stores.ts';

/** The page shows either the menu or an arena. */
export type View =
  | {
      readonly name: 'menu';
      /** After "Play Again": the lobby whose entry popup opens by itself. */
      readonly reopenEntryOf?: string | undefined;
      readonly opensGames?: boolean;
      /** Whether the player comes from a game. */
      readonly returnedFromGame?: true;
      /** The paid game that the player has just left. */
      readonly leftGame?: LeftGame | undefined;
    }
  | { readonly name: 'playing'; readonly visit: ArenaVisit };

type ViewEvent =
  | {
      readonly type: 'entered';
      readonly lobby: Lobby;
      readonly joinTicket: string;
      readonly isReturn: boolean;
    }
  | { readonly type: 'spectated'; readonly lobby: Lobby }
  | { readonly type: 'exited'; readonly toGames: boolean; readonly leftGame?: LeftGame | undefined }
  /** Players who gathered in that lobby are ready. */
  | { readonly type: 'called'; readonly lobbyId: string }
  | { readonly type: 'playAgain' };

/** Into the lobby's room where it is now. It may have moved since the lobby was chosen. */
export function entered(lobby: Lobby, joinTicket: string, isReturn = false): ViewEvent {
  return { type: 'entered', lobby: latestLobby(lobby), joinTicket, isReturn };
}

export function spectated(lobby: Lobby): ViewEvent {
  return { type: 'spectated', lobby: latestLobby(lobby) };
}

export function nextView(view: View, event: ViewEvent): View {
  switch (event.type) {
    case 'entered': {
      const { lobby, joinTicket, isReturn } = event;
      return { name: 'playing', visit: { type: 'player', lobby, joinTicket, isReturn } };
    }
    case 'spectated':
      return { name: 'playing', visit: { type: 'spectator', lobby: event.lobby } };
    case 'exited':
      return {
        name: 'menu',
        returnedFromGame: true,
        opensGames: event.toGames,
        leftGame: event.leftGame,
      };
    case 'called':
      return { name: 'menu', returnedFromGame: true, reopenEntryOf: event.lobbyId };
    case 'playAgain':
      return {
        name: 'menu',
        returnedFromGame: true,
        reopenEntryOf: view.name === 'playing' ? view.visit.lobby.id : undefined,
      };
  }
}

/** Undefined where nothing was paid. `gameId` is the id of the session. */
export function leftGameOf(view: View, gameId: string | undefined, leftAtMs: number): LeftGame | undefined {
  if (view.name !== 'playing' || view.visit.type !== 'player' || gameId === undefined) return undefined;
  const { lobby } = view.visit;
  return isFreeLobby(lobby) ? undefined : { gameId, lobby, leftAtMs };
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
