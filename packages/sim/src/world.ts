import { type Beacons, createBeacons, hasBeacons } from './beacons.ts';
import { type Bodies, createBodies } from './bodies.ts';
import type { ArenaEvent } from './events.ts';
import { createFood, type Food } from './food.ts';
import { createGrid, type Grid } from './grid.ts';
import type { MatchKey } from './keys.ts';
import { createNewcomers, isKind, type Newcomers } from './newcomers.ts';
import { createPlayers, type Players } from './players.ts';
import { createPortals, type Portals } from './portals.ts';
import { createRandomState, createStreams, type RandomState, type Streams } from './random.ts';
import { deriveStepRules, type Rules, type StepRules } from './rules.ts';
import { createTide, hasTide, type Tide } from './tide.ts';
import { createTruce, hasTruces, type Truce } from './truce.ts';

/** Accounts for every unit of stake: Σ bounties + spill + paidOut = paidIn + initial spill. */
type Money = {
  paidIn: bigint;
  paidOut: bigint;
  /** Forfeited by players who left, and not shared out yet. */
  spill: bigint;
};

type Clock = {
  tick: number;
  /** When the world ends and every remaining player gets its bounty back; -1 while no closing is announced. */
  closesAtTick: number;
  isEnded: boolean;
  /** The wanted number of players: bots fill up the places that people leave free. */
  botTarget: number;
};

/**
 * Everything that decides how a world continues: typed arrays and plain values only, saved and hashed as is.
 */
type State = {
  readonly bodies: Bodies;
  readonly players: Players;
  readonly food: Food;
  readonly portals: Portals;
  readonly money: Money;
  readonly clock: Clock;
  readonly random: RandomState;
  /** Only in a world that has one: the states of others are what they were before there were tides. */
  readonly tide?: Tide;
  /** The same. */
  readonly truce?: Truce;
  /** The same. */
  readonly newcomers?: Newcomers;
  /** The same. */
  readonly beacons?: Beacons;
};

/** One arena: its state, section by section and as a whole, and what can be rebuilt from it. */
export type World = Omit<State, 'tide' | 'truce' | 'newcomers' | 'beacons'> & {
  readonly state: State;
  /** Of the size of the world, in one that has none. */
  readonly tide: Tide;
  readonly truce: Truce;
  readonly newcomers: Newcomers;
  readonly beacons: Beacons;
  readonly rules: Rules;
  readonly stepRules: StepRules;
  readonly grid: Grid;
  /** By epoch. Neither these nor those in the streams are saved or sent anywhere. */
  readonly keys: (epoch: number) => Uint8Array;
  readonly streams: Streams;
  /** Events since the start of the last step. */
  readonly events: ArenaEvent[];
};

/** A world without food, viruses or players, for `createWorld` to fill or `loadWorld` to restore into. */
export function emptyWorld(key: MatchKey, rules: Rules, spill: bigint): World {
  const keys = typeof key === 'function' ? key : () => key;
  const tide = createTide(rules);
  const truce = createTruce();
  const newcomers = createNewcomers(rules);
  const beacons = createBeacons();
  const state: State = {
    bodies: createBodies(rules),
    players: createPlayers(rules),
    food: createFood(rules),
    portals: createPortals(rules),
    money: { paidIn: 0n, paidOut: 0n, spill },
    clock: { tick: 0, closesAtTick: -1, isEnded: false, botTarget: 0 },
    random: createRandomState(),
    ...(hasTide(rules) ? { tide } : {}),
    ...(hasTruces(rules) ? { truce } : {}),
    ...(isKind(rules) ? { newcomers } : {}),
    ...(hasBeacons(rules) ? { beacons } : {}),
  };
  return {
    ...state,
    state,
    tide,
    truce,
    newcomers,
    beacons,
    rules,
    stepRules: deriveStepRules(rules),
    grid: createGrid(rules, state.bodies.kind.length),
    keys,
    streams: createStreams(keys(0), state.random),
    events: [],
  };
}
