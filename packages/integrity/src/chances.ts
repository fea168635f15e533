import { addSurplus, type PairEvidence } from './evidence.ts';
import type { Row } from './roster.ts';
import { rankSurplus } from './statistics.ts';

/*
 * Soft play. A chance is a while in which one player could go for another: large enough, near, and with nobody near that it
 * would have to fear. What it does with it is a number: how straight it heads for the other. The other's side is a danger:
 * how straight it runs. Chances and dangers with the same partner are ranked among those with everybody else.
 */

/** How near, from the edge of the larger cell. */
const CHANCE_GAP = 380;
const DANGER_GAP = 300;
const FEAR_GAP = 450;
/** Larger by this much than the rules ask for, so that nobody has to judge by eye. */
const CLEARLY = 1.1;
/** An episode is over when it has been interrupted for this long, and is cut when it lasts. */
const PAUSE_TICKS = 50;
const LONGEST_TICKS = 150;
const LEAST_SAMPLES = 3;
const EATEN = 2;

type Episode = {
  readonly actor: number;
  readonly partner: number;
  readonly startTick: number;
  lastTick: number;
  samples: number;
  /** Of the samples, the nearer the heavier. */
  sum: number;
  weight: number;
  /** The actor ate the partner. */
  isTaken: boolean;
};

export type Chances = {
  /** Open ones by actor and partner. */
  readonly openChances: Map<number, Episode>;
  readonly openDangers: Map<number, Episode>;
  readonly chances: Episode[];
  readonly dangers: Episode[];
};

export function createChances(): Chances {
  return { openChances: new Map(), openDangers: new Map(), chances: [], dangers: [] };
}

export const pairKey = (actor: number, partner: number) => (actor + 1) * 65_536 + partner + 1;

/** Looks at everybody who lives. `massRatio` is how much larger an eater has to be. */
export function lookForChances(
  into: Chances,
  rows: readonly Row[],
  count: number,
  tick: number,
  massRatio: number,
) {
  for (let i = 0; i < count; i++) {
    const hunter = rows[i]!;
    if (hunter.isInvulnerable) continue;
    const feared = fearGap(hunter, rows, count, massRatio);
    for (let k = 0; k < count; k++) {
      const prey = rows[k]!;
      if (k === i || prey.isInvulnerable || hunter.massMilli < prey.massMilli * massRatio * CLEARLY) continue;
      if (hunter.account < 0 && prey.account < 0) continue;
      const dx = prey.x - hunter.x;
      const dy = prey.y - hunter.y;
      const distance = Math.sqrt(dx * dx + dy * dy) + 1;
      const gap = distance - hunter.radius;
      if (gap > CHANCE_GAP) continue;
      if (feared > FEAR_GAP) {
        const cosine = (hunter.aimX * dx + hunter.aimY * dy) / distance;
        note(
          into.openChances,
          into.chances,
          hunter.account,
          prey.account,
          tick,
          cosine,
          1 - gap / CHANCE_GAP,
        );
      }
      if (gap > DANGER_GAP) continue;
      const flight = (prey.aimX * dx + prey.aimY * dy) / distance;
      note(into.openDangers, into.dangers, prey.account, hunter.account, tick, flight, 1 - gap / DANGER_GAP);
    }
  }
}

/** How far away the nearest is whom this player would have to fear. */
function fearGap(of: Row, rows: readonly Row[], count: number, massRatio: number): number {
  let least = Infinity;
  for (let k = 0; k < count; k++) {
    const other = rows[k]!;
    if (other === of || other.massMilli < of.massMilli * massRatio) continue;
    const dx = other.x - of.x;
    const dy = other.y - of.y;
    least = Math.min(least, Math.sqrt(dx * dx + dy * dy) - other.radius);
  }
  return least;
}

function note(
  open: Map<number, Episode>,
  closed: Episode[],
  actor: number,
  partner: number,
  tick: number,
  value: number,
  nearness: number,
): void {
  const key = pairKey(actor, partner);
  let episode = open.get(key);
  if (!episode || tick - episode.lastTick > PAUSE_TICKS || tick - episode.startTick > LONGEST_TICKS) {
    episode = {
      actor,
      partner,
      startTick: tick,
      lastTick: tick,
      samples: 0,
      sum: 0,
      weight: 0,
      isTaken: false,
    };
    open.set(key, episode);
    closed.push(episode);
  }
  episode.lastTick = tick;
  episode.samples++;
  const weight = 0.05 + nearness * nearness;
  episode.sum += weight * value;
  episode.weight += weight;
}

/** Somebody was eaten: an open chance was taken. Returns how straight the prey had run, if it was in danger. */
export function noteEaten(
  { openChances, openDangers }: Chances,
  eater: number,
  prey: number,
): number | undefined {
  const chance = openChances.get(pairKey(eater, prey));
  if (chance) chance.isTaken = true;
  const danger = openDangers.get(pairKey(prey, eater));
  return danger && danger.samples > 0 ? danger.sum / danger.weight : undefined;
}

/** Ranks what each did with each among what it did with others, and what others did with the same. */
export function judgeChances(
  { chances, dangers }: Chances,
  pairOf: (actor: number, partner: number) => PairEvidence,
) {
  judge(chances, pairOf, 'spareOwn', 'spareOthers', 'spared');
  judge(dangers, pairOf, 'yieldOwn', 'yieldOthers', 'yielded');
}

function judge(
  episodes: readonly Episode[],
  pairOf: (actor: number, partner: number) => PairEvidence,
  own: 'spareOwn' | 'yieldOwn',
  others: 'spareOthers' | 'yieldOthers',
  what: 'spared' | 'yielded',
): void {
  const long = episodes.filter(({ samples, isTaken }) => samples >= LEAST_SAMPLES || isTaken);
  const byActor = groupBy(long, ({ actor }) => actor);
  const byPartner = groupBy(long, ({ partner }) => partner);
  const byPair = groupBy(long, ({ actor, partner }) => pairKey(actor, partner));
  for (const list of byPair.values()) {
    const { actor, partner } = list[0]!;
    if (actor < 0 || partner < 0) continue;
    const values = list.map(lenienceOf);
    const withOthers = byActor.get(actor)!.filter((episode) => episode.partner !== partner);
    const byOthers = byPartner.get(partner)!.filter((episode) => episode.actor !== actor);
    const evidence = pairOf(actor, partner);
    addSurplus(evidence[own], { ...rankSurplus(values, withOthers.map(lenienceOf)), count: list.length });
    addSurplus(evidence[others], { ...rankSurplus(values, byOthers.map(lenienceOf)), count: list.length });
    const mildest = list.reduce((best, episode) => (lenienceOf(episode) > lenienceOf(best) ? episode : best));
    evidence.moments.push({ tick: mildest.startTick, what });
  }
}

/** Of a chance: how little the actor went for it. Of a danger the sign is the same: heading for the other is less flight. */
function lenienceOf({ sum, weight, isTaken }: Episode): number {
  return isTaken ? -EATEN : -sum / weight;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
