import type { EntryId } from '@engulf/domain/ids/entity-ids';
import type { MatchEvidence } from '@engulf/integrity/evidence';
import { createWatch } from '@engulf/integrity/watch';
import type { ArenaEvent } from '@engulf/sim/events';
import { rebuildGrid } from '@engulf/sim/grid';
import { type MatchKey, numberedKey } from '@engulf/sim/keys';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { createRandom, type Random, randomBetween } from '@engulf/sim/random';
import {
  applyRecorded,
  finishRecording,
  pointAt,
  type RecordedMatch,
  startRecordedMatch,
  stepRecorded,
} from '@engulf/sim/recording/recorder';
import type { World } from '@engulf/sim/world';
import { chooseMove, WAYS } from '../balance/ways.ts';
import type { Account } from './cast.ts';
import { type Desk, holdsPointer } from './desk.ts';
import { aimAt, letGo, moveHand } from './hand.ts';
import {
  dumpMove,
  feedMove,
  framingMove,
  honestMove,
  type Move,
  type Past,
  sightedMove,
  softMove,
} from './minds.ts';

export type Seat = {
  readonly account: Account;
  readonly friends: readonly Account[];
  readonly isActive: boolean;
};

type Person = Seat & {
  player: PlayerId | undefined;
  joinsAtTick: number;
  delayed: { tick: number; move: Move }[];
  /** Of somebody who plays two accounts with one hand. */
  readonly desk: Desk | undefined;
};

const STAKE = 1_000_000n;
const BACK_AFTER_TICKS = 50;

type PlayOptions = {
  /** For a recording that is stored: its key, and the entry of an account's next life. */
  readonly key?: MatchKey;
  readonly entryOf?: (account: string) => EntryId;
  /** Those who see the whole map see it so late. */
  readonly sightDelayTicks?: number;
  /** After each step. */
  readonly onStep?: (
    world: World,
    events: readonly ArenaEvent[],
    nameOf: ReadonlyMap<PlayerId, string>,
  ) => void;
};

/** Plays a recorded match with everybody as a person, and watches it. */
export function playWatched(
  seed: number,
  seats: readonly Seat[],
  seconds: number,
  { key = numberedKey(seed), entryOf, sightDelayTicks = 0, onStep }: PlayOptions = {},
): { evidence: MatchEvidence; segments: Uint8Array[]; names: string[] } {
  const segments: Uint8Array[] = [];
  const match = startRecordedMatch({ key }, (segment) => segments.push(segment));
  const random = createRandom(numberedKey(seed + 50_000_000));
  const desk: Desk = { holder: undefined, fromTick: 0, untilTick: 0 };
  const persons: Person[] = seats.map((seat) => ({
    ...seat,
    player: undefined,
    joinsAtTick: Math.floor(randomBetween(random, 0, 500)),
    delayed: [],
    desk: seat.account.role === 'window' ? desk : undefined,
  }));
  const watch = createWatch();
  const nameOf = new Map<PlayerId, string>();
  const names: string[] = [];
  const past: Past[] = [];
  const { world } = match;
  const total = seconds * world.rules.stepsPerSecond;
  for (let tick = 0; tick < total; tick++) {
    rebuildGrid(world.grid, world.bodies);
    for (const person of persons) act(match, person, persons, random);
    const events = stepRecorded(match);
    watch.step(world, events, (player) => nameOf.get(player));
    onStep?.(world, events, nameOf);
    if (sightDelayTicks > 0) past.push(placesOf(world));
    if (past.length > sightDelayTicks) past.shift();
  }
  applyRecorded(match, { type: 'end', reason: 'closed' });
  stepRecorded(match);
  finishRecording(match);
  return { evidence: watch.finish(), segments, names };

  function act(match: RecordedMatch, person: Person, persons: readonly Person[], random: Random): void {
    const { world } = match;
    const slot = person.player === undefined ? -1 : findPlayer(world.players, person.player);
    const { tick } = world.clock;
    if (slot < 0) {
      if (person.player !== undefined) {
        person.player = undefined;
        person.joinsAtTick = tick + BACK_AFTER_TICKS;
        person.delayed.length = 0;
        person.account.mood.alarmTick = 0;
      }
      if (tick >= person.joinsAtTick) {
        const entry = entryOf && { entry: entryOf(person.account.name) };
        const applied = applyRecorded(match, { type: 'join', stake: STAKE, ...entry });
        if (!applied.ok || applied.player === undefined) throw new Error('The arena is full');
        person.player = applied.player;
        letGo(person.account.hand);
        nameOf.set(applied.player, person.account.name);
        names.push(person.account.name);
      }
      return;
    }
    const { account } = person;
    const player = person.player!;
    if (account.role === 'aim' || account.role === 'noise') {
      script(match, person, slot, random);
      return;
    }
    if (person.desk && !holdsPointer(person.desk, account, person.friends, tick, random)) return;
    if ((tick + slot) % account.thinkTicks === 0) {
      const move = moveOf(match, person, slot, persons, random, past[0]);
      aimAt(account.hand, move.x, move.y, tick, random);
      if (move.splits) applyRecorded(match, { type: 'split', player });
      if (move.ejects) applyRecorded(match, { type: 'eject', player });
    }
    const point = moveHand(account.hand, tick, random);
    if (point) pointAt(match, player, point.x, point.y);
  }
}

function moveOf(
  match: RecordedMatch,
  person: Person,
  slot: number,
  persons: readonly Person[],
  random: Random,
  past: Past | undefined,
): Move {
  const { world } = match;
  const { account, friends, isActive } = person;
  const friendSlots = friends
    .map((friend) => persons.find((other) => other.account === friend)?.player)
    .map((player) => (player === undefined ? -1 : findPlayer(world.players, player)))
    .filter((friend) => friend >= 0);
  const friend = friendSlots[0];
  if (!isActive || friend === undefined) {
    return account.role === 'sight'
      ? sightedMove(world, slot, account.mood, random, past)
      : honestMove(world, slot, account.mood, [], random);
  }
  switch (account.role) {
    case 'soft':
      return softMove(world, slot, account.mood, friendSlots, random);
    case 'ring':
    case 'quiet':
      return softMove(world, slot, account.mood, friendSlots, random, 1_300);
    case 'fed':
      return softMove(world, slot, account.mood, friendSlots, random, 350);
    case 'giver':
    case 'taker':
      return dumpMove(world, slot, account.mood, friend, random, account.role === 'giver');
    case 'feeder':
      return feedMove(world, slot, account.mood, friend, random);
    case 'framer':
      return framingMove(world, slot, account.mood, friend, random);
    default:
      return honestMove(world, slot, account.mood, [], random);
  }
}

function placesOf({ players }: World): Past {
  const { centreX, centreY, generation, top } = players;
  return { x: centreX.slice(0, top), y: centreY.slice(0, top), generation: generation.slice(0, top) };
}

/** A program: exact, or with a delay and a tremble that was added to look like a person. */
function script(match: RecordedMatch, person: Person, slot: number, random: Random): void {
  const { world } = match;
  const { tick } = world.clock;
  const isNoisy = person.account.role === 'noise';
  if (tick % 2 === 0) {
    const move = chooseMove(world, slot, WAYS.hunter, -1, random);
    const delay = isNoisy ? Math.floor(randomBetween(random, 4, 9)) : 0;
    person.delayed.push({ tick: tick + delay, move: { ...move, ejects: false } });
  }
  const due = person.delayed[0];
  if (!due || due.tick > tick) return;
  person.delayed.shift();
  const noise = () => (isNoisy ? randomBetween(random, -60, 60) + randomBetween(random, -60, 60) : 0);
  pointAt(match, person.player!, due.move.x + noise(), due.move.y + noise());
  if (due.move.splits) applyRecorded(match, { type: 'split', player: person.player! });
}
