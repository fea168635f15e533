import type { LiveUpdate, RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Face } from '../model/frame/face.ts';
import type { PortalTimer } from '../model/frame/portals.ts';
import type { ConnectionMetrics } from '../net/connection-metrics.ts';
import type { Countdown } from '../net/events.ts';

/** What the panels show. Filled by hud-events.ts and hud-frames.ts, read by slice. */
export type HudState = {
  readonly phase: 'loading' | 'playing' | 'failed';
  readonly isJoined: boolean;
  /** Why joining failed. */
  readonly failure: { readonly title: string; readonly text: string } | undefined;
  readonly pool: string | undefined;
  /** Everyone in the arena, bots included. */
  readonly totalPlayers: number | undefined;
  readonly totalBots: number;
  readonly leaderboard: RoomServerPayload<'leaderboard'>['leaderboard'];
  readonly ownRank: RoomServerPayload<'personalRank'> | undefined;
  /** Newest first. */
  readonly feed: readonly FeedLine[];
  readonly kill: Kill | undefined;
  readonly connection: ConnectionMetrics | undefined;
  readonly countdown: Countdown | undefined;
  /** Whom a spectator follows. */
  readonly following: string | undefined;
  readonly sight: HudSight;
  readonly debug: DebugFigures | undefined;
};

export type FeedLine = LiveUpdate & { readonly id: number; readonly isOwn: boolean };

type Kill = {
  readonly id: number;
  readonly word: string;
  /** A colour token. */
  readonly colour: string;
  readonly victim: string;
  /** Of the victim; undefined if it never was in sight. */
  readonly face: Face | undefined;
  readonly amount: string;
};

/** What the map and the portal panels show of the current frame. */
export type HudSight = {
  readonly portalTimer: PortalTimer;
  readonly portals: readonly MapPortal[];
  readonly own: MapPoint | undefined;
  /** The own mass in all cells together. */
  readonly mass: number | undefined;
  /** What the player carries, as the room writes it. */
  readonly reward: string | undefined;
  readonly cellCount: number;
  /** Beside one that could be hidden behind. */
  readonly isNearVirus: boolean;
  /** The part of the map that is on the screen. */
  readonly view: (MapPoint & { readonly width: number; readonly height: number }) | undefined;
  /** The dry part of the map, and what the water does. */
  readonly tide: MapTide;
  /** All cells, for spectators only. */
  readonly others: readonly (MapPoint & {
    readonly id: number;
    readonly colour: number;
    readonly size: number;
  })[];
};

/** Sizes as shares of the map's side, around its middle. */
export type MapTide = {
  readonly size: number;
  readonly goal: number;
  readonly news: 'rising' | 'falling' | undefined;
  /** Until the water comes in; 0 while it does. */
  readonly secondsLeft: number;
};

/** Fractions of the map's sides. */
type MapPoint = { readonly left: number; readonly top: number };

export type MapPortal = MapPoint & {
  readonly id: number;
  /** The field of the map: 'D2'. */
  readonly field: string;
  readonly isOpen: boolean;
  readonly secondsLeft: number;
};

type DebugFigures = {
  readonly framesPerSecond: number;
  readonly frameMs: number;
  readonly renderer: string;
  readonly cells: number;
  readonly food: number;
  readonly tick: number;
  readonly delayMs: number;
  readonly own:
    | { readonly x: number; readonly y: number; readonly mass: number; readonly cellCount: number }
    | undefined;
};

export type HudStore = StoreApi<HudState>;

export function createHudStore(): HudStore {
  return createStore(() => ({
    phase: 'loading',
    isJoined: false,
    failure: undefined,
    pool: undefined,
    totalPlayers: undefined,
    totalBots: 0,
    leaderboard: [],
    ownRank: undefined,
    feed: [],
    kill: undefined,
    connection: undefined,
    countdown: undefined,
    following: undefined,
    sight: {
      portalTimer: { tone: 'unknown', text: '--:--' },
      portals: [],
      own: undefined,
      mass: undefined,
      reward: undefined,
      cellCount: 0,
      isNearVirus: false,
      tide: { size: 1, goal: 1, news: undefined, secondsLeft: 0 },
      view: undefined,
      others: [],
    },
    debug: undefined,
  }));
}

export const HudContext = createContext<HudStore | undefined>(undefined);

export function useHudStore(): HudStore {
  const store = useContext(HudContext);
  if (!store) throw new Error('useHudStore needs a HudContext around it');
  return store;
}

/** Reads one slice; the component re-renders only when that slice changes. */
export function useHud<Slice>(select: (hud: HudState) => Slice): Slice {
  return useStore(useHudStore(), select);
}
