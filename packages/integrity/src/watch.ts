import type { ArenaEvent } from '@engulf/sim/events';
import { type PlayerId, slotOfId } from '@engulf/sim/players';
import { portalPhase } from '@engulf/sim/portals';
import type { World } from '@engulf/sim/world';
import { createChances, judgeChances, lookForChances, noteEaten, pairKey } from './chances.ts';
import { type MatchEvidence, noPair, noPlayer, type PairEvidence, type PlayerEvidence } from './evidence.ts';
import { createGiving, followPieces, judgeGiving, noteNear } from './giving.ts';
import { createHands, judgeHands, lookAtHands } from './hands.ts';
import { createPointers, judgePointers, lookAtPointers } from './one-hand.ts';
import { type Row, readRoster } from './roster.ts';
import { createTurns, judgeTurns, lookForTurns, notePlaces } from './turns.ts';

/** Chances, turns and pieces are looked at this often. */
const LOOK_TICKS = 5;
const MOST_MOMENTS = 4;

export type Watch = {
  /** After each step, with what it reported. `accountOf` names the account of a player who spawned, if it has one. */
  step(
    world: World,
    events: readonly ArenaEvent[],
    accountOf: (player: PlayerId) => string | undefined,
  ): void;
  /** What was seen since the last call. */
  finish(): MatchEvidence;
};

/** Somebody who was there before. */
export type Present = {
  readonly player: PlayerId;
  readonly account: string | undefined;
  readonly stake: number;
  readonly joinedTick: number;
};

/** Watches a match as it is played again, from its start or on from later. Nothing in it depends on anything but the match. */
export function createWatch(present: readonly Present[] = []): Watch {
  const names: string[] = [];
  const indexOf = new Map<string, number>();
  const accountBySlot = new Int32Array(65_536).fill(-1);
  const stakes = new Map<number, number>();
  const rows: Row[] = [];
  const joinedAt = new Map<number, number>();
  let living = 0;
  let part = newPart();

  for (const { player, account, stake, joinedTick } of present) noteJoin(player, account, stake, joinedTick);

  return { step, finish };

  function newPart() {
    return {
      chances: createChances(),
      turns: createTurns(),
      hands: createHands(),
      pointers: createPointers(),
      giving: createGiving(),
      pairs: new Map<number, PairEvidence>(),
      players: new Map<number, PlayerEvidence>(),
      ticks: 0,
      perSecond: 25,
      massRatio: 1.3,
    };
  }

  function playerOf(account: number): PlayerEvidence {
    let evidence = part.players.get(account);
    if (!evidence) {
      evidence = noPlayer(names[account]!);
      part.players.set(account, evidence);
    }
    return evidence;
  }

  function pairOf(actor: number, partner: number): PairEvidence {
    const key = pairKey(actor, partner);
    let evidence = part.pairs.get(key);
    if (!evidence) {
      evidence = noPair(names[actor]!, names[partner]!);
      part.pairs.set(key, evidence);
    }
    return evidence;
  }

  function step(
    world: World,
    events: readonly ArenaEvent[],
    accountOf: (player: PlayerId) => string | undefined,
  ): void {
    const { clock, rules, players, portals } = world;
    const { tick } = clock;
    part.ticks++;
    part.perSecond = rules.stepsPerSecond;
    part.massRatio = rules.eating.massRatio;
    note(events, tick, accountOf);
    const count = readRoster(world, accountBySlot, rows);
    living = count;
    lookAtHands(part.hands, rows, count, players, tick, playerOf);
    lookAtPointers(part.pointers, rows, count, players, tick);
    followPieces(part.giving, world, rows, count);
    if (tick % rules.stepsPerSecond === 0) {
      notePlaces(part.turns, rows, count, names.length);
      for (let i = 0; i < count; i++) if (rows[i]!.account >= 0) playerOf(rows[i]!.account).seconds++;
    }
    if (tick % LOOK_TICKS !== 0) return;
    lookForChances(part.chances, rows, count, tick, rules.eating.massRatio);
    lookForTurns(part.turns, rows, count, tick, portalPhase(portals) === 'idle');
    noteNear(part.giving, rows, count, LOOK_TICKS / rules.stepsPerSecond);
  }

  function note(
    events: readonly ArenaEvent[],
    tick: number,
    accountOf: (player: PlayerId) => string | undefined,
  ): void {
    for (const event of events) {
      if (event.type === 'spawned') {
        const name = event.isBot ? undefined : accountOf(event.player);
        noteJoin(event.player, name, Number(event.stake), tick);
      } else if (event.type === 'cellEaten') {
        const eater = accountBySlot[slotOfId(event.eater)]!;
        const prey = accountBySlot[slotOfId(event.prey)]!;
        const flight = noteEaten(part.chances, eater, prey);
        const isDead = events.some((other) => other.type === 'killed' && other.victim === event.prey);
        if (prey >= 0 && eater >= 0) {
          pairOf(prey, eater).bountyGiven += Number(event.bountyMoved) / (stakes.get(prey) || 1);
        }
        if (isDead && flight !== undefined) noteDeath(prey, eater, tick, flight, event.massMilli);
      }
    }
  }

  function noteJoin(player: PlayerId, name: string | undefined, stake: number, tick: number): void {
    const account = name === undefined ? -1 : indexFor(name);
    accountBySlot[slotOfId(player)] = account;
    if (account < 0) return;
    stakes.set(account, stake);
    joinedAt.set(account, joinedAt.get(account) ?? tick);
  }

  function noteDeath(victim: number, killer: number, tick: number, flight: number, massMilli: number): void {
    // Rows of the step before are near enough.
    const rivals = rows.slice(0, living).filter((row) => row.massMilli >= massMilli * part.massRatio).length;
    part.giving.deaths.push({ victim, killer, tick, flight, rivals });
  }

  function indexFor(name: string): number {
    let index = indexOf.get(name);
    if (index === undefined) {
      index = names.push(name) - 1;
      indexOf.set(name, index);
    }
    return index;
  }

  function finish(): MatchEvidence {
    judgeChances(part.chances, pairOf);
    judgeGiving(part.giving, names.length, pairOf);
    judgeTurns(part.turns, names.length, part.massRatio, smallRandom(part.ticks), playerOf, pairOf);
    judgeHands(part.hands, playerOf);
    judgePointers(part.pointers, pairOf);
    for (const [key, seconds] of part.giving.near) {
      const pair = part.pairs.get(key);
      if (pair) pair.nearSeconds += seconds;
    }
    for (const [key, pair] of part.pairs) {
      pair.moments = pair.moments.slice(0, MOST_MOMENTS);
      const one = joinedAt.get(Math.floor(key / 65_536) - 1) ?? 0;
      const two = joinedAt.get((key % 65_536) - 1) ?? 0;
      pair.joinGapSeconds = Math.abs(one - two) / part.perSecond;
      pair.sharedSeconds = part.ticks / part.perSecond;
    }
    for (const player of part.players.values()) player.moments = player.moments.slice(0, MOST_MOMENTS);
    const evidence: MatchEvidence = {
      seconds: part.ticks / part.perSecond,
      players: [...part.players.values()],
      pairs: [...part.pairs.values()],
    };
    part = newPart();
    return evidence;
  }
}

/** Which other moments a turn is compared with. Reproducible; nothing depends on its quality. */
function smallRandom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 16_777_216;
  };
}
