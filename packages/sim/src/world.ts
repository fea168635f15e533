import { type Bodies, createBodies } from './bodies.ts';
import type { ArenaEvent } from './events.ts';
import { createFood, type Food } from './food.ts';
import { createGrid, type Grid } from './grid.ts';
import { createPlayers, type Players } from './players.ts';
import { createPortals, type Portals } from './portals.ts';
import { createRandom, type Random } from './random.ts';
import { deriveStepRules, type Rules, type StepRules } from './rules.ts';

/** Where every unit of stake is: Σ bounties + spill + paidOut = paidIn + the spill that the world began with. */
type Money = {
  paidIn: bigint;
  paidOut: bigint;
  /** What leavers left behind and nobody has received yet. */
  spill: bigint;
};

type Clock = {
  tick: number;
  /** When everyone left gets the bounty back and the world ends; -1 while it stays open. */
  closesAtTick: number;
  isEnded: boolean;
  /** How many bodies steer themselves so that people have company; people take their places. */
  botTarget: number;
};

/** All that decides how a world goes on: typed arrays and plain values only, saved and hashed as they are. */
type State = {
  readonly bodies: Bodies;
  readonly players: Players;
  readonly food: Food;
  readonly portals: Portals;
  readonly money: Money;
  readonly clock: Clock;
  readonly random: Random;
};

/** One arena: its state, at hand section by section and as a whole, and what can be rebuilt at any time. */
export type World = State & {
  readonly state: State;
  readonly rules: Rules;
  readonly stepRules: StepRules;
  readonly grid: Grid;
  /** What happened since the last step began. */
  readonly events: ArenaEvent[];
};

/** A world without food, viruses or players; `createWorld` fills it, `loadWorld` restores one into it. */
export function emptyWorld(seed: number, rules: Rules, spill: bigint): World {
  const state: State = {
    bodies: createBodies(rules),
    players: createPlayers(rules),
    food: createFood(rules),
    portals: createPortals(rules),
    money: { paidIn: 0n, paidOut: 0n, spill },
    clock: { tick: 0, closesAtTick: -1, isEnded: false, botTarget: 0 },
    random: createRandom(seed),
  };
  return {
    ...state,
    state,
    rules,
    stepRules: deriveStepRules(rules),
    grid: createGrid(rules, state.bodies.kind.length),
    events: [],
  };
}
