import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import type { ArenaEvent } from '@engulf/sim/events';
import { numberedKey } from '@engulf/sim/keys';
import { findPlayer, type PlayerId, playerId } from '@engulf/sim/players';
import { createRandom, type Random } from '@engulf/sim/random';
import { MILLI, type Rules, standardRules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';
import type { World } from '@engulf/sim/world';
import { seesAnybody } from './senses.ts';
import { chooseMove, type Way } from './ways.ts';

/** One life in the arena, from the spawn to its end. */
export type Life = {
  /** Undefined for a bot of the project. */
  readonly way: string | undefined;
  readonly bornSecond: number;
  seconds: number;
  /** Until somebody came into view; undefined if nobody did. */
  metAfterSeconds: number | undefined;
  kills: number;
  /** What it ended with, as a multiple of the stake: 0 if it was eaten. Undefined while it lives. */
  multiple: number | undefined;
  end: 'killed' | 'exited' | 'returned' | 'living';
};

export type Played = {
  readonly lives: readonly Life[];
  /** Of all seconds that players lived after the warm-up, in how many somebody was in view. */
  readonly livedSeconds: number;
  readonly inViewSeconds: number;
  readonly kills: number;
  /** The largest mass of anybody, whenever somebody joined. */
  readonly largestAtJoins: readonly number[];
};

export type Setup = {
  readonly seed: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Bots of the project. */
  readonly bots: number;
  /** Who plays beside them; each comes back when a life has ended. A friend is an index of this list. */
  readonly people: readonly {
    readonly way: Way;
    readonly friend?: number;
    /** Its first lives are known to be; once they are over, so is the match. */
    readonly newcomerLives?: number;
  }[];
  readonly rules?: Rules;
};

const STAKE = 1_000_000n;
const BACK_AFTER_SECONDS = 0;

type Person = {
  readonly way: Way;
  readonly friend: number | undefined;
  /** Undefined for one who is none. */
  newcomerLives: number | undefined;
  player: PlayerId | undefined;
  joinsAtTick: number;
};

/** Plays a match without waiting. The same setup gives the same figures. */
export function playMatch({
  seed,
  seconds,
  warmUpSeconds,
  bots,
  people,
  rules = standardRules,
}: Setup): Played {
  const world = createWorld({ key: numberedKey(seed), rules });
  const random = createRandom(numberedKey(seed + 1_000_000));
  const perSecond = rules.stepsPerSecond;
  const persons: Person[] = people.map(({ way, friend, newcomerLives }, index) => {
    const joinsAtTick = (people.length === 1 ? warmUpSeconds * perSecond : 0) + index;
    return { way, friend, newcomerLives, player: undefined, joinsAtTick };
  });
  const lives = new Map<PlayerId, Life>();
  const all: Life[] = [];
  const largestAtJoins: number[] = [];
  let [livedSeconds, inViewSeconds, kills] = [0, 0, 0];
  // Bots make room for people, so their number is that of all.
  applyCommand(world, { type: 'setPopulation', count: bots === 0 ? 0 : bots + persons.length });
  const total = (seconds + warmUpSeconds) * perSecond;
  for (let tick = 0; tick < total; tick++) {
    for (const [index, person] of persons.entries()) actAs(world, person, index, persons, random, join);
    if (persons.some(isExperienced)) break;
    const isMeasured = tick >= warmUpSeconds * perSecond;
    note(step(world), isMeasured);
    if (tick % LOOK_TICKS === 0) look(isMeasured);
  }
  applyCommand(world, { type: 'end', reason: 'closed' });
  note(step(world), true);
  return { lives: all, livedSeconds, inViewSeconds, kills, largestAtJoins };

  function join(person: Person): void {
    if (person.newcomerLives !== undefined && person.newcomerLives-- === 0) return;
    const isNewcomer = person.newcomerLives !== undefined;
    const applied = applyCommand(world, { type: 'join', stake: STAKE, isNewcomer });
    if (!applied.ok || applied.player === undefined) throw new Error('The arena is full');
    person.player = applied.player;
  }

  function note(events: readonly ArenaEvent[], isMeasured: boolean): void {
    for (const event of events) {
      if (event.type === 'spawned') {
        const way = persons.find(({ player }) => player === event.player)?.way.name;
        largestAtJoins.push(largestMass(world));
        const life: Life = {
          way,
          bornSecond: world.clock.tick / perSecond,
          seconds: 0,
          metAfterSeconds: undefined,
          kills: 0,
          multiple: undefined,
          end: 'living',
        };
        lives.set(event.player, life);
        if (isMeasured || way !== undefined) all.push(life);
      } else if (event.type === 'killed') {
        const killer = lives.get(event.killer);
        if (killer) killer.kills++;
        if (isMeasured) kills++;
        endLife(event.victim, 'killed', 0n);
      } else if (event.type === 'exited') endLife(event.player, 'exited', event.bounty);
      else if (event.type === 'departed') endLife(event.player, 'returned', event.refund);
      else if (event.type === 'bountyReturned') endLife(event.player, 'returned', event.bounty);
    }
  }

  function endLife(player: PlayerId, end: Life['end'], amount: bigint): void {
    const life = lives.get(player);
    if (!life) return;
    life.end = end;
    life.seconds = world.clock.tick / perSecond - life.bornSecond;
    life.multiple = Number(amount) / Number(STAKE);
    lives.delete(player);
  }

  function look(isMeasured: boolean): void {
    const { players } = world;
    for (let slot = 0; slot < players.top; slot++) {
      if (!players.isAlive[slot]) continue;
      const life = lives.get(playerId(players, slot));
      const sees = seesAnybody(world, slot);
      if (sees && life) life.metAfterSeconds ??= world.clock.tick / perSecond - life.bornSecond;
      if (!isMeasured) continue;
      livedSeconds += LOOK_TICKS / perSecond;
      if (sees) inViewSeconds += LOOK_TICKS / perSecond;
    }
  }
}

const LOOK_TICKS = 5;

function isExperienced({ newcomerLives }: Person): boolean {
  return newcomerLives !== undefined && newcomerLives < 0;
}

function actAs(
  world: World,
  person: Person,
  index: number,
  persons: readonly Person[],
  random: Random,
  join: (person: Person) => void,
): void {
  const { players, clock, rules } = world;
  const slot = person.player === undefined ? -1 : findPlayer(players, person.player);
  if (slot < 0) {
    if (person.player !== undefined) {
      person.player = undefined;
      person.joinsAtTick = clock.tick + BACK_AFTER_SECONDS * rules.stepsPerSecond;
    }
    if (clock.tick >= person.joinsAtTick) join(person);
    return;
  }
  if ((clock.tick + index) % person.way.thinkTicks !== 0) return;
  const friendId = person.friend === undefined ? undefined : persons[person.friend]!.player;
  const friend = friendId === undefined ? -1 : findPlayer(players, friendId);
  const move = chooseMove(world, slot, person.way, friend, random);
  const player = playerId(players, slot);
  applyCommand(world, { type: 'steer', player, x: move.x, y: move.y });
  if (move.splits) applyCommand(world, { type: 'split', player });
}

function largestMass({ bodies, players }: World): number {
  let largest = 0;
  for (let slot = 0; slot < players.top; slot++) {
    if (players.isAlive[slot]) largest = Math.max(largest, players.massMilli[slot]!);
  }
  return bodies.top === 0 ? 0 : largest / MILLI;
}
