import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';

/** What the arena is mounted with. */
export type ArenaSession =
  | {
      readonly type: 'player';
      readonly lobby: Lobby;
      readonly joinTicket: string;
      readonly sessionId: string;
    }
  | { readonly type: 'spectator'; readonly lobby: Lobby };

export type ArenaViewProps = {
  session: ArenaSession;
  user: User;
  /** Back to the menu; `games` opens the list of payouts there, for a refund on its way. */
  onExit: (tab?: 'games') => void;
  /** Back to the menu, where the entry popup of the same lobby opens again. */
  onPlayAgain: () => void;
  /** Watch the lobby that was just played. */
  onSpectate: () => void;
};
