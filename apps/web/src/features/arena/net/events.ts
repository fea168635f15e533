import type { Failure } from '@engulf/domain/errors/registry';
import type { ArenaView, BodyViewKind } from '@engulf/netcode/decode/arena-view';
import { changeLeaderboard, type RoomLeaderboard } from '@engulf/protocol/room/room-leaderboard';
import type { AnyServerMessage } from '@engulf/protocol/room/room-socket';
import type { ConnectionMetrics } from './connection-metrics.ts';

/** A message from the room, other than its state. A change of the leaderboard is read as the leaderboard that it makes. */
export type RoomMessage = Exclude<AnyServerMessage, { type: 'leaderboardChange' }>;

export type Countdown = { readonly kind: 'lost' | 'hidden'; readonly secondsLeft: number };

/** What happens during a visit. The room and the model publish; HUD, popups and others subscribe. */
export type ArenaEvent =
  | Exclude<RoomMessage, { type: 'pong' }>
  /** Seated in the room; the join ticket is used up. */
  | { readonly type: 'joined' }
  | { readonly type: 'joinFailed'; readonly failure: Failure }
  | { readonly type: 'connectionMeasured'; readonly metrics: ConnectionMetrics }
  /** Seconds until the player counts as gone; undefined when the danger has passed. */
  | { readonly type: 'countdown'; readonly countdown: Countdown | undefined }
  /** The countdown ran out. */
  | { readonly type: 'disconnected'; readonly wasHidden: boolean }
  /** Back to the menu, with a reason to show or without. */
  | { readonly type: 'left'; readonly reason: { readonly title: string; readonly text: string } | undefined }
  /** The own player split or was burst by a virus. */
  | { readonly type: 'split'; readonly cellCount: number }
  /** The own player ejected mass. */
  | { readonly type: 'ejected' }
  | {
      readonly type: 'eaten';
      readonly prey: Exclude<BodyViewKind, 'virus'> | 'food';
      readonly isOwnEater: boolean;
    }
  /** A spectator wants to follow somebody, or to look at a place: fractions of the map's sides. */
  | { readonly type: 'followRequested'; readonly name: string }
  | { readonly type: 'lookRequested'; readonly left: number; readonly top: number }
  /** Whom the spectator's camera follows now. */
  | { readonly type: 'following'; readonly name: string | undefined }
  | { readonly type: 'portalPhase'; readonly phase: ArenaView['portalPhase'] };

export type ArenaEvents = {
  publish(event: ArenaEvent): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (event: ArenaEvent) => void): () => void;
};

export function createArenaEvents(): ArenaEvents {
  const listeners = new Set<(event: ArenaEvent) => void>();
  return {
    publish(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          // One broken listener must not silence the others, nor stop the room.
          console.error(`listener failed on ${event.type}`, error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Reads the messages of one connection. */
export function createRoomReader(): (message: AnyServerMessage) => RoomMessage | undefined {
  let leaderboard: RoomLeaderboard | undefined;
  return (message) => {
    if (message.type === 'leaderboard') leaderboard = message.payload;
    if (message.type !== 'leaderboardChange') return message;
    leaderboard &&= changeLeaderboard(leaderboard, message.payload);
    return leaderboard && { type: 'leaderboard', payload: leaderboard };
  };
}
