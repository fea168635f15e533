import type { Lobby } from '@engulf/protocol/lobby';
import type { ArenaSession } from '../shared/arena-session.ts';

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
