import type { LiveUpdate, RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PortalTimer } from '../model/portal-state.ts';
import type { ConnectionMetrics } from '../net/ping-history.ts';
import type { KillWord } from './kill-banner-timing.ts';

/** What the panels around the arena show. Written a few times a second at most, read by slice. */
export type HudState = {
  readonly phase: 'loading' | 'playing' | 'failed';
  /** Why joining failed. */
  readonly failure: { readonly title: string; readonly text: string } | undefined;
  readonly pool: string | undefined;
  readonly totalPlayers: number | undefined;
  readonly leaderboard: RoomServerPayload<'leaderboard'>['leaderboard'];
  readonly ownRank: RoomServerPayload<'personalRank'> | undefined;
  /** The latest first. */
  readonly feed: readonly FeedLine[];
  readonly kill: Kill | undefined;
  readonly connection: ConnectionMetrics | undefined;
  /** Seconds until the player counts as gone, by what for. */
  readonly countdown: { readonly kind: 'lost' | 'hidden'; readonly secondsLeft: number } | undefined;
  readonly end: GameEnd | undefined;
  readonly sight: HudSight;
  readonly debug: DebugFigures | undefined;
};

export type FeedLine = LiveUpdate & { readonly id: number; readonly isOwn: boolean };

export type Kill = {
  readonly id: number;
  readonly word: KillWord;
  readonly victim: string;
  readonly amount: string;
};

/** What the frames say, thinned out for the panels. */
export type HudSight = {
  readonly portalTimer: PortalTimer;
  readonly portals: readonly MapPortal[];
  readonly own: MapPoint | undefined;
  /** Spectators only: who is where. */
  readonly others: readonly (MapPoint & {
    readonly id: number;
    readonly colour: number;
    readonly size: number;
  })[];
};

/** Fractions of the map's sides. */
export type MapPoint = { readonly left: number; readonly top: number };

export type MapPortal = MapPoint & {
  readonly id: number;
  /** The field of the map: 'D2'. */
  readonly field: string;
  readonly isOpen: boolean;
  readonly secondsLeft: number;
};

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

export type DebugFigures = {
  readonly framesPerSecond: number;
  readonly frameMs: number;
  readonly renderer: string;
  readonly cells: number;
  readonly food: number;
  readonly tick: number;
  readonly delayMs: number;
  readonly bytesPerSecond: number;
  readonly own:
    | { readonly x: number; readonly y: number; readonly mass: number; readonly cellCount: number }
    | undefined;
};

export type HudStore = StoreApi<HudState>;

export function createHudStore(): HudStore {
  return createStore(() => ({
    phase: 'loading',
    failure: undefined,
    pool: undefined,
    totalPlayers: undefined,
    leaderboard: [],
    ownRank: undefined,
    feed: [],
    kill: undefined,
    connection: undefined,
    countdown: undefined,
    end: undefined,
    sight: { portalTimer: { tone: 'unknown', text: '--:--' }, portals: [], own: undefined, others: [] },
    debug: undefined,
  }));
}
