import { BODY } from '@engulf/sim/bodies';
import type { World } from '@engulf/sim/world';
import { pairKey } from './chances.ts';
import type { PairEvidence } from './evidence.ts';
import type { Row } from './roster.ts';

/*
 * Feeding and dumping. Mass that is thrown has no event when it is eaten, so pieces are followed; a body that is given away
 * is a death without flight, by one and the same.
 */

const BURST_TICKS = 100;
const BURST_PIECES = 3;
/** More in one match say little more: they are one decision. */
const MOST_BURSTS = 3;
/** Near enough to be fed. */
const NEAR = 700;
/** Nobody feeds less often than this per second nearby, as far as anybody can know. */
const LEAST_RATE = 1 / 400;
/** The deaths with the least flight, as a share of all deaths of the match. */
const UNRESISTING = 0.25;
const LEAST_DEATHS = 6;
const LEAST_CHANCE = 0.04;

type Piece = { owner: number; generation: number; x: number; y: number };
type Burst = { startTick: number; pieces: number; counted: boolean };
type Death = {
  readonly victim: number;
  readonly killer: number;
  readonly tick: number;
  /** How straight the victim ran: 1 away, -1 into the killer. Undefined if nobody could tell. */
  readonly flight: number;
  /** How many could have eaten it. */
  readonly rivals: number;
};

export type Giving = {
  readonly pieces: Map<number, Piece>;
  readonly bursts: Map<number, Burst>;
  readonly fed: Map<number, { bursts: number; ticks: number[] }>;
  readonly near: Map<number, number>;
  readonly deaths: Death[];
};

export function createGiving(): Giving {
  return { pieces: new Map(), bursts: new Map(), fed: new Map(), near: new Map(), deaths: [] };
}

/** Every step: a piece that is thrown at somebody near lives for a moment only. */
export function followPieces(into: Giving, world: World, rows: readonly Row[], count: number): void {
  const { bodies, clock } = world;
  if (bodies.ejectedCount === 0 && into.pieces.size === 0) return;
  for (const [slot, piece] of into.pieces) {
    if (bodies.kind[slot] === BODY.ejected && bodies.generation[slot] === piece.generation) {
      piece.x = bodies.x[slot]!;
      piece.y = bodies.y[slot]!;
      continue;
    }
    into.pieces.delete(slot);
    const eater = eaterAt(rows, count, piece);
    if (eater >= 0 && eater !== piece.owner && piece.owner >= 0)
      noteFed(into, piece.owner, eater, clock.tick);
  }
  const accountOf = new Map(rows.slice(0, count).map(({ slot, account }) => [slot, account]));
  for (let slot = 0; slot < bodies.top; slot++) {
    if (bodies.kind[slot] !== BODY.ejected || into.pieces.has(slot)) continue;
    const owner = accountOf.get(bodies.owner[slot]!) ?? -1;
    into.pieces.set(slot, {
      owner,
      generation: bodies.generation[slot]!,
      x: bodies.x[slot]!,
      y: bodies.y[slot]!,
    });
  }
}

export function noteNear({ near }: Giving, rows: readonly Row[], count: number, seconds: number): void {
  for (let i = 0; i < count; i++) {
    for (let k = i + 1; k < count; k++) {
      const [one, two] = [rows[i]!, rows[k]!];
      if (Math.hypot(one.x - two.x, one.y - two.y) - one.radius - two.radius > NEAR) continue;
      for (const key of [pairKey(one.account, two.account), pairKey(two.account, one.account)]) {
        near.set(key, (near.get(key) ?? 0) + seconds);
      }
    }
  }
}

/** Whoever has it within a cell, or nearly. */
function eaterAt(rows: readonly Row[], count: number, { x, y }: Piece): number {
  let [least, eater] = [150, -1];
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    const gap = Math.hypot(row.x - x, row.y - y) - row.radius;
    if (gap < least) [least, eater] = [gap, row.account];
  }
  return eater;
}

function noteFed({ bursts, fed }: Giving, giver: number, taker: number, tick: number): void {
  const key = pairKey(giver, taker);
  let burst = bursts.get(key);
  if (!burst || tick - burst.startTick > BURST_TICKS) {
    burst = { startTick: tick, pieces: 0, counted: false };
    bursts.set(key, burst);
  }
  burst.pieces++;
  if (burst.counted || burst.pieces < BURST_PIECES) return;
  burst.counted = true;
  const sum = fed.get(key) ?? { bursts: 0, ticks: [] };
  sum.bursts++;
  sum.ticks.push(burst.startTick);
  fed.set(key, sum);
}

export function judgeGiving(
  { fed, near, deaths }: Giving,
  accounts: number,
  pairOf: (actor: number, partner: number) => PairEvidence,
): void {
  judgeFeeding(fed, near, accounts, pairOf);
  judgeDeaths(deaths, pairOf);
}

function judgeFeeding(
  fed: Giving['fed'],
  near: Giving['near'],
  accounts: number,
  pairOf: (actor: number, partner: number) => PairEvidence,
): void {
  const givers = Array.from({ length: accounts }, () => ({ bursts: 0, seconds: 0 }));
  let [allBursts, allSeconds] = [0, 0];
  for (const [key, seconds] of near) {
    const giver = Math.floor(key / 65_536) - 1;
    if (giver < 0) continue;
    const bursts = Math.min(MOST_BURSTS, fed.get(key)?.bursts ?? 0);
    givers[giver]!.bursts += bursts;
    givers[giver]!.seconds += seconds;
    allBursts += bursts;
    allSeconds += seconds;
  }
  for (const [key, seconds] of near) {
    const giver = Math.floor(key / 65_536) - 1;
    const taker = (key % 65_536) - 1;
    if (giver < 0 || taker < 0) continue;
    const given = fed.get(key);
    const hits = Math.min(MOST_BURSTS, given?.bursts ?? 0);
    const own = givers[giver]!;
    // What the giver does with others, and what others do, without this pair and without this giver.
    const ownRate = (own.bursts - hits) / Math.max(60, own.seconds - seconds);
    const usualRate = (allBursts - own.bursts) / Math.max(60, allSeconds - own.seconds);
    const { feed, moments } = pairOf(giver, taker);
    feed.hits += hits;
    feed.expected += seconds * Math.max(LEAST_RATE, ownRate, usualRate);
    for (const tick of given?.ticks.slice(0, MOST_BURSTS) ?? []) moments.unshift({ tick, what: 'fed' });
  }
}

function judgeDeaths(
  deaths: readonly Death[],
  pairOf: (actor: number, partner: number) => PairEvidence,
): void {
  if (deaths.length < LEAST_DEATHS) return;
  const flights = deaths.map(({ flight }) => flight).toSorted((a, b) => a - b);
  const limit = flights[Math.floor(UNRESISTING * flights.length)]!;
  const share = flights.filter((flight) => flight < limit).length / flights.length;
  const partnersOf = new Map<number, Set<number>>();
  for (const { victim, killer } of deaths) {
    if (victim < 0 || killer < 0) continue;
    const partners = partnersOf.get(victim) ?? new Set();
    partners.add(killer);
    partnersOf.set(victim, partners);
  }
  for (const death of deaths) {
    for (const killer of partnersOf.get(death.victim) ?? []) {
      const kills = deaths.filter((other) => other.killer === killer && other.victim !== death.victim).length;
      const chance = Math.max(LEAST_CHANCE, 1 / Math.max(1, death.rivals), kills / deaths.length);
      const { give, moments } = pairOf(death.victim, killer);
      give.expected += Math.max(share, 0.1) * Math.min(1, chance);
      if (death.killer !== killer || death.flight >= limit) continue;
      give.hits++;
      moments.unshift({ tick: death.tick, what: 'given' });
    }
  }
}
