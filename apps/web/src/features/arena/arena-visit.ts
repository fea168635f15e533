import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';

/** One stay in an arena, as a player or as a spectator. */
export type ArenaVisit =
  | {
      readonly type: 'player';
      readonly lobby: Lobby;
      readonly joinTicket: string;
      /** Into a body that is in the arena already. */
      readonly isReturn?: boolean;
    }
  | { readonly type: 'spectator'; readonly lobby: Lobby };

export type ArenaViewProps = {
  visit: ArenaVisit;
  user: User;
  gameUrl: string | null;
  /** 0: a hidden tab does not leave the match. */
  tabHiddenTimeoutMs: number;
  /** See `ArenaSource`. */
  virusDepthMass: number;
  /** Back to the menu; `games` opens the list of payouts there. */
  onExit: (tab?: 'games') => void;
  /** Into the lobby again, or to its entry popup where there is something to pay. */
  onPlayAgain: () => void;
  /** Watch the lobby just played. */
  onSpectate: () => void;
};
