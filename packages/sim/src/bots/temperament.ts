import type { Players } from '../players.ts';
import type { Rules } from '../rules.ts';

/** How a bot plays. All bots obey the rules of the arena and see no farther than `rules.bots.sight`. */
export type Temperament = {
  /** Flees when somebody who can eat it comes this near. */
  readonly panicGap: number;
  /** Seconds until it notices a danger: from, and up to. */
  readonly reactionSeconds: readonly [number, number];
  /** Chases prey of at least this share of its own mass. */
  readonly preyShare: number;
  /** Judges its chances in a hunt: above 1 it also chases what it cannot quite eat. */
  readonly confidence: number;
  /** Splits for a kill while it has at most this many cells. */
  readonly splitsBelowCells: number;
  /** Leaves at this multiple of `rules.bots.cashOutAtMultiple`. */
  readonly patience: number;
  /** Hunts around an open portal and leaves at the last moment. */
  readonly isGreedy: boolean;
  /** Feeds viruses to burst somebody larger behind them. */
  readonly shootsViruses: boolean;
  /** How far off its aim may be, as a share of the distance. */
  readonly wobble: number;
  /** In how many of 100 decisions it is inattentive and keeps its course. */
  readonly slipsPercent: number;
};

export const TEMPERAMENTS = {
  /** Eats in peace, runs early, hides behind viruses, takes what it has. */
  grazer: {
    panicGap: 420,
    reactionSeconds: [0.2, 0.4],
    preyShare: 1 / 4,
    confidence: 0.85,
    splitsBelowCells: 0,
    patience: 0.8,
    isGreedy: false,
    shootsViruses: false,
    wobble: 0.12,
    slipsPercent: 6,
  },
  /** Chases everybody it can eat and some it cannot, splits for the kill, wants more. */
  hunter: {
    panicGap: 260,
    reactionSeconds: [0.15, 0.3],
    preyShare: 1 / 12,
    confidence: 1.08,
    splitsBelowCells: 4,
    patience: 1.6,
    isGreedy: false,
    shootsViruses: true,
    wobble: 0.06,
    slipsPercent: 3,
  },
  /** Lurks at portals and plays for the last second. */
  gambler: {
    panicGap: 320,
    reactionSeconds: [0.2, 0.5],
    preyShare: 1 / 8,
    confidence: 1,
    splitsBelowCells: 2,
    patience: 1,
    isGreedy: true,
    shootsViruses: true,
    wobble: 0.1,
    slipsPercent: 5,
  },
} as const satisfies { readonly [name: string]: Temperament };

const NAMES = Object.keys(TEMPERAMENTS) as (keyof typeof TEMPERAMENTS)[];

/** A bot keeps its temperament for its life; the next one in the slot has another. */
export function temperamentOf(players: Players, bot: number): Temperament {
  return TEMPERAMENTS[NAMES[(bot + players.generation[bot]!) % NAMES.length]!];
}

export function cashOutMultiple(rules: Rules, { patience }: Temperament): number {
  return Math.max(1.1, rules.bots.cashOutAtMultiple * patience);
}
