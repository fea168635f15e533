import { parseRewardText } from '@engulf/domain/money/reward-text';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import type { ArenaEvents } from '../net/events.ts';

/** How the game ended for this player. */
export type GameEnd =
  | {
      readonly kind: 'rekt';
      readonly eatenBy: string | undefined;
      readonly bagLost: string | undefined;
      /** Undefined if only the outcome is known. */
      readonly finalMass: number | undefined;
    }
  | {
      readonly kind: 'secured';
      readonly wasClosed: boolean;
      readonly reward: string;
      readonly usdValue: string | null;
      readonly finalMass: number | undefined;
    }
  | {
      readonly kind: 'disconnected';
      /** Undefined if the room never said which game it is. */
      readonly gameId: string | undefined;
      /** The player left because the tab was hidden, not because of the network. */
      readonly wasHidden: boolean;
    };

/** Calls back when the game ends. Returns a function that stops. */
export function watchGameEnd(events: ArenaEvents, onEnd: (end: GameEnd) => void): () => void {
  let bag: string | undefined;
  let gameId: string | undefined;
  return events.subscribe((event) => {
    switch (event.type) {
      case 'welcome':
        gameId = event.payload.gameId;
        break;
      case 'personalRank':
        bag = parseRewardText(event.payload.reward).amount;
        break;
      case 'disconnected':
        onEnd({ kind: 'disconnected', gameId, wasHidden: event.wasHidden });
        break;
      case 'gameOver':
        onEnd(endOf(event.payload, { bag, gameId }));
        break;
    }
  });
}

type Known = { readonly bag: string | undefined; readonly gameId: string | undefined };

function endOf({ stats, cause, killer }: RoomServerPayload<'gameOver'>, { bag, gameId }: Known): GameEnd {
  const { reward, usdValue, finalMass } = stats;
  switch (cause) {
    case 'portal':
    case 'closed':
      return { kind: 'secured', wasClosed: cause === 'closed', reward, usdValue, finalMass };
    case 'disconnected':
    case 'fault':
      return { kind: 'disconnected', gameId, wasHidden: false };
    case 'eaten':
    case 'unknown':
      return { kind: 'rekt', eatenBy: killer ?? undefined, bagLost: bag, finalMass };
  }
}
