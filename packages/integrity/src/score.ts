import {
  addSurplus,
  type MatchEvidence,
  noPair,
  noPlayer,
  type PairEvidence,
  type PlayerEvidence,
  type Surplus,
} from './evidence.ts';
import { discoveries, heavyTail, median, normalTail, poissonTail, robustSpread } from './statistics.ts';

/*
 * From evidence over matches to findings. Every hypothesis "this actor does this, with this partner" gets the probability
 * that chance does as much; those that stay under the false-discovery rate among all of them are put forward.
 */

export type Kind =
  | 'softPlay'
  | 'teaming'
  | 'feeding'
  | 'dumping'
  | 'convoy'
  | 'oneHand'
  | 'sight'
  | 'machine';

export type Finding = {
  readonly kind: Kind;
  readonly actor: string;
  /** With whom; not accused by this finding. */
  readonly partner: string | undefined;
  readonly pValue: number;
  /** Standard deviations, or times as much as chance, for people. */
  readonly strength: number;
  readonly count: number;
};

export type Totals = {
  readonly pairs: Map<string, PairEvidence & { matches: number }>;
  readonly players: Map<string, PlayerEvidence & { matches: number }>;
};

const LEAST_EPISODES = 4;
const LEAST_TURNS = 12;
const LEAST_RETURNS = 12;
const LEAST_GIFTS = 2;
/** A pointer's path says something after this many movements. */
const LEAST_CHANGES = 1_000;
const LEAST_STARTS = 100;
/** Sums are looked at again after every match, so chance gets as many tries. */
const LOOKS = 100;
const MOST_MOMENTS = 4;

export function noTotals(): Totals {
  return { pairs: new Map(), players: new Map() };
}

export function addMatch({ pairs, players }: Totals, evidence: MatchEvidence): void {
  for (const pair of evidence.pairs) addPair(pairs, pair);
  for (const player of evidence.players) addPlayer(players, player);
}

function addPair(pairs: Totals['pairs'], pair: PairEvidence): void {
  const key = `${pair.actor} ${pair.partner}`;
  let sum = pairs.get(key);
  if (!sum) {
    sum = { ...noPair(pair.actor, pair.partner), matches: 0 };
    pairs.set(key, sum);
  }
  for (const signal of ['spareOwn', 'spareOthers', 'yieldOwn', 'yieldOthers', 'seek', 'waits'] as const) {
    addSurplus(sum[signal], pair[signal]);
  }
  for (const signal of ['feed', 'give'] as const) {
    sum[signal].hits += pair[signal].hits;
    sum[signal].expected += pair[signal].expected;
  }
  sum.bountyGiven += pair.bountyGiven;
  sum.nearSeconds += pair.nearSeconds;
  sum.sharedSeconds += pair.sharedSeconds;
  sum.joinGapSeconds = pair.joinGapSeconds;
  if (sum.moments.length < MOST_MOMENTS) sum.moments.push(...pair.moments);
  sum.matches++;
}

function addPlayer(players: Totals['players'], player: PlayerEvidence): void {
  let sum = players.get(player.player);
  if (!sum) {
    sum = { ...noPlayer(player.player), matches: 0 };
    players.set(player.player, sum);
  }
  addSurplus(sum.sight, player.sight);
  sum.quick.hits += player.quick.hits;
  sum.quick.expected += player.quick.expected;
  sum.seconds += player.seconds;
  for (const name of Object.keys(sum.hand) as (keyof typeof sum.hand)[]) sum.hand[name] += player.hand[name];
  if (sum.moments.length < MOST_MOMENTS) sum.moments.push(...player.moments);
  sum.matches++;
}

/** All hypotheses, the most surprising first. */
export function hypotheses(totals: Totals): Finding[] {
  const pairs = [...totals.pairs.values()];
  const players = [...totals.players.values()];
  const soft = byDeviation(
    'softPlay',
    pairs,
    softness,
    ({ spareOwn, yieldOwn }) => spareOwn.count + yieldOwn.count,
  );
  const convoys = byDeviation(
    'convoy',
    pairs,
    ({ seek }) => deviation(seek, LEAST_TURNS),
    ({ seek }) => seek.count,
  );
  return [
    ...soft,
    ...convoys,
    ...teams(soft, convoys),
    ...byDeviation(
      'oneHand',
      pairs,
      ({ waits }) => deviation(waits, LEAST_RETURNS),
      ({ waits }) => waits.count,
    ),
    ...byDeviation(
      'sight',
      players,
      ({ sight }) => deviation(sight, LEAST_TURNS),
      ({ sight }) => sight.count,
    ),
    ...byCount('feeding', pairs, ({ feed }) => feed),
    ...byCount('dumping', pairs, ({ give }) => give),
    ...machines(players),
  ].sort((a, b) => a.pValue - b.pValue);
}

/** Soft play and convoys are seen in different moments, so together they say more than each alone. */
function teams(soft: readonly Finding[], convoys: readonly Finding[]): Finding[] {
  const convoyOf = new Map(convoys.map((convoy) => [`${convoy.actor} ${convoy.partner}`, convoy]));
  return soft.flatMap((one) => {
    const other = convoyOf.get(`${one.actor} ${one.partner}`);
    if (!other) return [];
    const strength = (one.strength + other.strength) / Math.SQRT2;
    const pValue = Math.min(1, LOOKS * normalTail(strength));
    return [{ ...one, kind: 'teaming', pValue, strength, count: one.count + other.count }];
  });
}

/** Those that are put forward at a false-discovery rate. */
export function putForward(totals: Totals, rate: number): Finding[] {
  const all = hypotheses(totals);
  return [all.filter(({ partner }) => partner), all.filter(({ partner }) => !partner)].flatMap((family) => {
    const pValues = family.map(({ pValue }) => pValue);
    return family.slice(0, discoveries(pValues, rate));
  });
}

type Subject = PairEvidence | PlayerEvidence;

/**
 * Episodes of a match are not quite independent of each other, so a surplus scatters more than shuffling says. How much more
 * is read off the bulk of all that are looked at.
 */
function byDeviation<Item extends Subject>(
  kind: Kind,
  items: readonly Item[],
  read: (item: Item) => number | undefined,
  countOf: (item: Item) => number,
): Finding[] {
  const scored = items.flatMap((item) => {
    const z = read(item);
    return z === undefined ? [] : [{ item, z }];
  });
  const values = scored.map(({ z }) => z);
  const middle = values.length < 20 ? 0 : median(values);
  const spread = values.length < 20 ? 1.2 : Math.max(1, robustSpread(values, middle));
  return scored.map(({ item, z }) => {
    const strength = (z - middle) / spread;
    return finding(kind, item, LOOKS * normalTail(strength), strength, countOf(item));
  });
}

function byCount(
  kind: Kind,
  pairs: readonly PairEvidence[],
  read: (pair: PairEvidence) => { readonly hits: number; readonly expected: number },
): Finding[] {
  return pairs.flatMap((pair) => {
    const { hits, expected } = read(pair);
    if (expected === 0) return [];
    const p = hits < LEAST_GIFTS ? 1 : LOOKS * poissonTail(hits, expected);
    return [finding(kind, pair, p, hits / expected, hits)];
  });
}

function finding(kind: Kind, subject: Subject, p: number, strength: number, count: number): Finding {
  const isPair = 'actor' in subject;
  return {
    kind,
    actor: isPair ? subject.actor : subject.player,
    partner: isPair ? subject.partner : undefined,
    pValue: Math.min(1, p),
    strength,
    count,
  };
}

function deviation({ surplus, variance, count }: Surplus, least: number): number | undefined {
  return count < least || variance === 0 ? undefined : surplus / Math.sqrt(variance);
}

/** Against the own play with others and against others' play with the same partner: the weaker of the two counts. */
function softness({ spareOwn, spareOthers, yieldOwn, yieldOthers }: PairEvidence): number | undefined {
  const sides = [
    { z: weaker(deviation(spareOwn, 1), deviation(spareOthers, 1)), count: spareOwn.count },
    { z: weaker(deviation(yieldOwn, 1), deviation(yieldOthers, 1)), count: yieldOwn.count },
  ];
  let [sum, count] = [0, 0];
  for (const side of sides) {
    if (side.z === undefined) continue;
    sum += Math.sqrt(side.count) * side.z;
    count += side.count;
  }
  return count < LEAST_EPISODES ? undefined : sum / Math.sqrt(count);
}

function weaker(one: number | undefined, two: number | undefined): number | undefined {
  return one === undefined || two === undefined ? undefined : Math.min(one, two);
}

/** A hand is compared with all other hands, each of which counts once, however often it has played. */
function machines(players: readonly PlayerEvidence[]): Finding[] {
  const moved = players.filter(({ hand }) => hand.changes >= LEAST_CHANGES);
  const features = [
    ({ hand }: PlayerEvidence) => -Math.atanh(Math.max(-0.99, Math.min(0.99, hand.along / hand.squares))),
    ({ hand }: PlayerEvidence) => logit(hand.jumps, hand.changes),
    ({ hand }: PlayerEvidence) => logit(hand.sameReach, hand.changes),
    ({ hand }: PlayerEvidence) => logit(hand.changes, hand.ticks),
    evenness,
  ];
  const tails = features.map((read) => {
    const values = moved.map(read);
    const known = values.filter((value) => value !== undefined);
    const middle = median(known);
    const spread = Math.max(0.12, robustSpread(known, middle));
    return values.map((value) => (value === undefined ? 1 : heavyTail((value - middle) / spread)));
  });
  const handTail = new Map(
    moved.map((player, index) => [player.player, oddness(tails.map((tail) => tail[index]!))]),
  );
  return players.map((player) => {
    const { hits, expected } = player.quick;
    const quick = hits < 5 ? 1 : LOOKS * poissonTail(hits, expected);
    const path = moved.length < 20 ? 1 : (handTail.get(player.player) ?? 1);
    const p = Math.min(1, 2 * Math.min(quick, path));
    return finding('machine', player, p, expected === 0 ? 0 : hits / expected, hits);
  });
}

/** How constant the cadence is: little spread of the times between movements. Unknown of a hand that hardly rests. */
function evenness({ hand: { starts, gaps, gapSquares } }: PlayerEvidence): number | undefined {
  if (starts < LEAST_STARTS) return undefined;
  return -Math.log(Math.max(0, gapSquares / starts - (gaps / starts) ** 2) + 0.01);
}

/** People are odd in one respect now and then: it takes two, or one that is out of all proportion. */
function oddness(tails: readonly number[]): number {
  const [first, second] = tails.toSorted((a, b) => a - b) as [number, number];
  const pairs = (tails.length * (tails.length - 1)) / 2;
  return Math.min(pairs * second * second, LOOKS * tails.length * first);
}

function logit(part: number, whole: number): number {
  return Math.log((part + 1) / (whole - part + 1));
}
