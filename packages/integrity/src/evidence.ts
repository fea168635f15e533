/*
 * What one match, or one part of a long one, says about players and pairs: sums that can be added up over matches. Each
 * surplus is what was seen minus what shuffling within the same match gives, with the variance of that.
 */

export type Surplus = { surplus: number; variance: number; count: number };
/** Events that happened, and how many chance would have brought. */
type Count = { hits: number; expected: number };

/** What `actor` did with `partner`. Only the actor's own acts: nobody gets evidence against somebody else by acting. */
export type PairEvidence = {
  readonly actor: string;
  readonly partner: string;
  /** Left chances to eat the partner: against its chances with others, and against others' chances with the partner. */
  readonly spareOwn: Surplus;
  readonly spareOthers: Surplus;
  /** Did not run from the partner who could eat it: the same two comparisons. */
  readonly yieldOwn: Surplus;
  readonly yieldOthers: Surplus;
  /** Turned towards the partner, who was out of view. */
  readonly seek: Surplus;
  /** Moved its pointer again only while the partner's rested. */
  readonly waits: Surplus;
  /** Threw mass that the partner ate. */
  readonly feed: Count;
  /** Was eaten by the partner without resistance. */
  readonly give: Count;
  /** Bounty that went from actor to partner, in parts of the actor's stake. */
  bountyGiven: number;
  /** Share of the time in which both lived that they were near each other. */
  nearSeconds: number;
  sharedSeconds: number;
  /** How far apart in time they entered and left for good; for people to look at. */
  joinGapSeconds: number;
  /** Ticks worth looking at, the strongest first. */
  moments: Moment[];
};

export type Moment = {
  readonly tick: number;
  readonly what: 'spared' | 'yielded' | 'fed' | 'given' | 'sight' | 'waited';
};

export type PlayerEvidence = {
  readonly player: string;
  seconds: number;
  /** Turned towards prey that was out of view, against where prey was at other times. */
  readonly sight: Surplus;
  /** Turned sooner after somebody came into view than a person can. */
  readonly quick: Count;
  /** Features of the pointer's path, see hands.ts. Sums over ticks, so that they can be added. */
  readonly hand: HandSums;
  moments: Moment[];
};

type HandSums = {
  ticks: number;
  changes: number;
  /** Σ d·d' of successive movements and Σ d·d: a hand goes on in its direction, noise turns back. */
  along: number;
  squares: number;
  /** Movements that stop dead: a step between two rests. */
  jumps: number;
  /** Movements that keep the pointer's distance to the pixel. */
  sameReach: number;
  /** Movements that began after a rest, and the logarithms of the times between their beginnings: Σ and Σ of squares. */
  starts: number;
  gaps: number;
  gapSquares: number;
};

export type MatchEvidence = {
  readonly seconds: number;
  readonly players: readonly PlayerEvidence[];
  readonly pairs: readonly PairEvidence[];
};

function noSurplus(): Surplus {
  return { surplus: 0, variance: 0, count: 0 };
}

export function addSurplus(sum: Surplus, { surplus, variance, count }: Surplus): void {
  sum.surplus += surplus;
  sum.variance += variance;
  sum.count += count;
}

export function noPair(actor: string, partner: string): PairEvidence {
  return {
    actor,
    partner,
    spareOwn: noSurplus(),
    spareOthers: noSurplus(),
    yieldOwn: noSurplus(),
    yieldOthers: noSurplus(),
    seek: noSurplus(),
    waits: noSurplus(),
    feed: { hits: 0, expected: 0 },
    give: { hits: 0, expected: 0 },
    bountyGiven: 0,
    nearSeconds: 0,
    sharedSeconds: 0,
    joinGapSeconds: 0,
    moments: [],
  };
}

/** Sums that were stored, maybe by an earlier release, which knew fewer signals. */
export function pairFrom(actor: string, partner: string, stored: unknown): PairEvidence {
  return { ...noPair(actor, partner), ...(stored as Partial<PairEvidence>) };
}

export function playerFrom(player: string, stored: unknown): PlayerEvidence {
  const nothing = noPlayer(player);
  const known = stored as Partial<PlayerEvidence>;
  return { ...nothing, ...known, hand: { ...nothing.hand, ...known.hand } };
}

export function noPlayer(player: string): PlayerEvidence {
  return {
    player,
    seconds: 0,
    sight: noSurplus(),
    quick: { hits: 0, expected: 0 },
    hand: {
      ticks: 0,
      changes: 0,
      along: 0,
      squares: 0,
      jumps: 0,
      sameReach: 0,
      starts: 0,
      gaps: 0,
      gapSquares: 0,
    },
    moments: [],
  };
}
