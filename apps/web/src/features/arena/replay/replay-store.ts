import type { PublicMatch } from '@engulf/protocol/http/matches';
import { botName } from '@engulf/sim/bots/bot-names';
import type { PlayerId } from '@engulf/sim/players';
import { createContext, use } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { IndexNews, Life, Mark } from './match-index.ts';
import { REPLAY_TEXT } from './text.ts';

export type ReplayFailure = 'unknown' | 'running' | 'unplayed' | 'damaged' | 'server';

/** A player in the arena at the moment that is shown. */
export type ShownPlayer = {
  readonly id: PlayerId;
  readonly name: string;
  readonly colour: number;
  readonly isBot: boolean;
  readonly reward: string;
  readonly mass: number;
};

/** What the panels of the viewer show. */
export type ReplayState = {
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly failure: ReplayFailure | undefined;
  readonly match: PublicMatch | undefined;
  readonly finalTick: number;
  readonly ticksPerSecond: number;
  readonly keyframeTicks: readonly number[];
  readonly tick: number;
  readonly isPlaying: boolean;
  readonly isWaiting: boolean;
  readonly speed: number;
  readonly followed: PlayerId | undefined;
  /** In the arena now, the largest first. */
  readonly players: readonly ShownPlayer[];
  readonly marks: readonly Mark[];
  readonly lives: readonly Life[];
  /** How far the match has been looked through for marks. */
  readonly indexedTick: number;
  readonly difference: IndexNews['difference'];
};

export type ReplayStore = StoreApi<ReplayState>;

export function createReplayStore(): ReplayStore {
  return createStore<ReplayState>(() => ({
    phase: 'loading',
    failure: undefined,
    match: undefined,
    finalTick: 0,
    ticksPerSecond: 25,
    keyframeTicks: [0],
    tick: 0,
    isPlaying: true,
    isWaiting: true,
    speed: 1,
    followed: undefined,
    players: [],
    marks: [],
    lives: [],
    indexedTick: 0,
    difference: undefined,
  }));
}

export const ReplayContext = createContext<ReplayStore | undefined>(undefined);

export function useReplay<Slice>(select: (state: ReplayState) => Slice): Slice {
  return useStore(use(ReplayContext)!, select);
}

/** The player of an entry, or of a `p…` in a link; undefined until it is known. */
export function playerOfKey(lives: readonly Life[], key: string): PlayerId | undefined {
  return lives.find((life) => keyOf(life) === key)?.player;
}

export function nameOf({ match, lives }: ReplayState, player: PlayerId): string {
  const life = lives.find((one) => one.player === player);
  const person = match?.entries.find(({ id }) => id === life?.entry)?.player;
  if (person) return person.name;
  return match && life && life.entry === undefined ? botName(match.id, player) : REPLAY_TEXT.unknown;
}

/** How a link names a player. */
export function keyOf({ entry, player }: Life): string {
  return entry || `p${player}`;
}
