import { applyCommand, type Command } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import { findPlayer, type PlayerId, playerId } from '@engulf/sim/players';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';
import type { World } from '@engulf/sim/world';
import type { DescribePlayer } from '../format/player-rows.ts';

/** A small arena in which everything happens often: splits, bursts, deaths, exits, reused slots. */
const LIVELY_RULES: Rules = {
  ...standardRules,
  worldSize: 2500,
  maxPlayers: 32,
  tide: { ...standardRules.tide, leastSize: 1200, mostPlayers: 16, noticeSeconds: 1 },
  food: { ...standardRules.food, count: 500 },
  viruses: { ...standardRules.viruses, count: 8, maxCount: 20 },
  spawn: { ...standardRules.spawn, mass: 250, invulnerableSeconds: 1 },
  merging: { ...standardRules.merging, minSeconds: 2, maxSeconds: 4 },
  portals: { ...standardRules.portals, idleSeconds: 4, warningSeconds: 1, activeSeconds: 4, spacing: 600 },
  ejecting: { ...standardRules.ejecting, lifetimeSeconds: 6 },
  bots: { ...standardRules.bots, joinEverySeconds: 0.2 },
};

export type LivelyArena = {
  readonly world: World;
  /** The human players: they steer, split and eject at random, and rejoin after they die. */
  readonly people: PlayerId[];
  readonly random: () => number;
};

export function createLivelyArena(
  seed: number,
  people: number,
  bots: number,
  rules = LIVELY_RULES,
): LivelyArena {
  const arena = {
    world: createWorld({ key: numberedKey(seed), rules }),
    people: [],
    random: createPseudoRandom(seed),
  };
  applyCommand(arena.world, { type: 'setPopulation', count: people + bots });
  for (let i = 0; i < people; i++) join(arena, i);
  return arena;
}

export function playOn(arena: LivelyArena): void {
  const { world, people, random } = arena;
  people.forEach((player, i) => {
    if (findPlayer(world.players, player) < 0) {
      join(arena, i);
      return;
    }
    if (random() < 0.1) command(world, { type: 'steer', player, ...pointer(random) });
    if (random() < 0.03) command(world, { type: 'split', player });
    if (random() < 0.15) command(world, { type: 'eject', player });
  });
  step(world);
}

/** Describes players as a room would. */
export function cardOf({ players }: World): DescribePlayer {
  return (slot) => ({
    name: `näme ${playerId(players, slot)}`,
    colour: slot % 12,
    reward: `${players.bounty[slot]}(x1.00)`,
    isAdmin: slot % 5 === 0,
    picture: slot % 2 === 0 ? slot.toString(16).padStart(64, '0') : undefined,
  });
}

function join(arena: LivelyArena, index: number): void {
  const applied = applyCommand(arena.world, { type: 'join', stake: 1_000_000n });
  if (applied.ok) arena.people[index] = applied.player!;
}

function command(world: World, wish: Command): void {
  if (!applyCommand(world, wish).ok) throw new Error(`The arena refused ${wish.type}`);
}

function pointer(random: () => number): { x: number; y: number } {
  return { x: (random() - 0.5) * 1000, y: (random() - 0.5) * 1000 };
}

/** Pseudo-random numbers from 0 to 1. */
function createPseudoRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
