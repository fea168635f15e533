import { parseRewardText } from '@engulf/domain/money/reward-text';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import type { ArenaEvents } from '../net/events.ts';

/** How the game ended for this player. */
export type GameEnd =
  | {
      readonly kind: 'rekt';
      readonly eatenBy: string | undefined;
      readonly bagLost: string | undefined;
      readonly finalMass: number;
    }
  | {
      readonly kind: 'secured';
      readonly wasClosed: boolean;
      readonly reward: string;
      readonly usdValue: string | null;
      readonly finalMass: number;
    }
  | { readonly kind: 'disconnected' };

/** Calls back when the game ends. Returns a function that stops. */
export function watchGameEnd(events: ArenaEvents, onEnd: (end: GameEnd) => void): () => void {
  let bag: string | undefined;
  return events.subscribe((event) => {
    switch (event.type) {
      case 'personalRank':
        bag = parseRewardText(event.payload.reward).amount;
        break;
      case 'disconnected':
        onEnd({ kind: 'disconnected' });
        break;
      case 'gameOver':
        onEnd(endOf(event.payload, bag));
        break;
    }
  });
}

function endOf({ stats, cause, killer }: RoomServerPayload<'gameOver'>, bag: string | undefined): GameEnd {
  const { reward, usdValue, finalMass } = stats;
  switch (cause) {
    case 'portal':
    case 'closed':
      return { kind: 'secured', wasClosed: cause === 'closed', reward, usdValue, finalMass };
    case 'disconnected':
    case 'fault':
      return { kind: 'disconnected' };
    case 'eaten':
    case 'unknown':
      return { kind: 'rekt', eatenBy: killer ?? undefined, bagLost: bag, finalMass };
  }
}
