import { freeLobbyRules, type Rules } from '@engulf/sim/rules';
import { type Life, type Played, playMatch, type Setup } from './play.ts';
import { WAYS, type Way } from './ways.ts';

export const POPULATIONS = [2, 3, 5, 10, 25, 50] as const;

export type Effort = {
  readonly seeds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly rules?: Rules;
};

export type PopulationFigures = {
  readonly players: number;
  readonly inViewPct: number;
  readonly firstMeetingSeconds: number;
  readonly killsPerPlayerMinute: number;
  readonly lifeSecondsP50: number;
  readonly multipleAtExitP50: number;
  readonly largestAtJoinP50: number;
};

/** The project's bots among themselves. */
export function measurePopulation(players: number, effort: Effort): PopulationFigures {
  const matches = playAll(effort, (seed) => ({ seed, bots: players, people: [] }));
  const lives = matches.flatMap((match) => match.lives);
  const lived = sum(matches, ({ livedSeconds }) => livedSeconds);
  const ended = lives.filter(({ end }) => end === 'killed' || end === 'exited');
  return {
    players,
    inViewPct: round((100 * sum(matches, ({ inViewSeconds }) => inViewSeconds)) / lived, 1),
    firstMeetingSeconds: round(percentile(meetings(lives), 0.5), 1),
    killsPerPlayerMinute: round((60 * sum(matches, ({ kills }) => kills)) / lived, 2),
    lifeSecondsP50: round(
      percentile(
        ended.map(({ seconds }) => seconds),
        0.5,
      ),
      0,
    ),
    multipleAtExitP50: round(percentile(multiplesAtExit(ended), 0.5), 1),
    largestAtJoinP50: round(
      percentile(
        matches.flatMap((match) => match.largestAtJoins),
        0.5,
      ),
      0,
    ),
  };
}

/** Somebody who was alone for the whole of a long life counts as never; a life too short to tell does not count. */
function meetings(lives: readonly Life[]): number[] {
  return lives.flatMap(({ metAfterSeconds, seconds }) => {
    if (metAfterSeconds !== undefined) return [metAfterSeconds];
    return seconds > 15 ? [Infinity] : [];
  });
}

function multiplesAtExit(lives: readonly Life[]): number[] {
  return lives.flatMap(({ end, multiple }) => (end === 'exited' ? [multiple!] : []));
}

export type WayFigures = { readonly name: string; readonly returnPerOne: number; readonly plusMinus: number };

/** The project's bots, who have no way of their own. */
export const BOT_WAY = 'bot';

const SEATS = 10;
/** Those who know the game. What one of them loses another wins. */
const TABLE: Setup['people'] = [
  { way: WAYS.careful },
  { way: WAYS.coward },
  { way: WAYS.camper },
  { way: WAYS.hunter },
  { way: WAYS.pair, friend: 5 },
  { way: WAYS.pair, friend: 4 },
];

/** A table of ten: everybody who knows the game, and bots. */
export function measureTable(effort: Effort): WayFigures[] {
  const matches = playTable(effort, TABLE);
  return [...new Set(TABLE.map(({ way }) => way.name)), undefined].map((name) => returnOf(name, matches));
}

/**
 * Newcomers who see no danger, each at such a table: they lose quickly and come back often, so two of them would feed all
 * the others.
 */
export function measureBlind(effort: Effort): WayFigures[] {
  return [WAYS.wanderer, WAYS.crumbs].map((way) =>
    returnOf(way.name, playTable(effort, [...TABLE, { way }])),
  );
}

function playTable(effort: Effort, people: Setup['people']): Played[] {
  return playAll(effort, (seed) => ({ seed, bots: SEATS - people.length, people }));
}

/** Of a way of playing, or of the project's bots. */
function returnOf(name: string | undefined, matches: readonly Played[]): WayFigures {
  const perMatch = matches.map(({ lives }) => {
    const own = lives.filter(({ way }) => way === name);
    return { staked: own.length, returned: sum(own, ({ multiple }) => multiple ?? 0) };
  });
  const returnPerOne = sum(perMatch, ({ returned }) => returned) / sum(perMatch, ({ staked }) => staked);
  const meanStaked = sum(perMatch, ({ staked }) => staked) / perMatch.length;
  const squares = sum(
    perMatch,
    ({ staked, returned }) => ((returned - returnPerOne * staked) / meanStaked) ** 2,
  );
  const plusMinus = Math.sqrt(squares / Math.max(1, perMatch.length - 1) / perMatch.length);
  return { name: name ?? BOT_WAY, returnPerOne: round(returnPerOne, 2), plusMinus: round(plusMinus, 2) };
}

export type NewcomerFigures = {
  readonly name: string;
  readonly lifeSecondsP50: number;
  readonly ateSomebodyPct: number;
  readonly reachedPortalPct: number;
};

const NEWCOMERS: readonly Way[] = [WAYS.wanderer, WAYS.crumbs, WAYS.careful];
/** As in the free lobby, which has been played for five minutes when the newcomer comes. */
const FREE_LOBBY = { bots: 14, warmUpSeconds: 300, newcomerLives: 3 };

/** Of the lives in which an account counts as a newcomer. */
export function measureNewcomers(
  effort: Omit<Effort, 'warmUpSeconds'>,
  ways: readonly Way[] = NEWCOMERS,
): NewcomerFigures[] {
  return ways.map((way) => {
    const matches = playAll(
      { rules: freeLobbyRules, ...effort, warmUpSeconds: FREE_LOBBY.warmUpSeconds },
      (seed) => ({
        seed,
        bots: FREE_LOBBY.bots,
        people: [{ way, newcomerLives: FREE_LOBBY.newcomerLives }],
      }),
    );
    const lives = matches.flatMap((match) => match.lives.filter((life) => life.way === way.name));
    const share = (holds: (life: Life) => boolean) =>
      round((100 * lives.filter(holds).length) / lives.length, 0);
    return {
      name: way.name,
      lifeSecondsP50: round(
        percentile(
          lives.map(({ seconds }) => seconds),
          0.5,
        ),
        0,
      ),
      ateSomebodyPct: share(({ kills }) => kills > 0),
      reachedPortalPct: share(({ end }) => end === 'exited'),
    };
  });
}

function playAll(
  { seeds, seconds, warmUpSeconds, rules }: Effort,
  setupOf: (seed: number) => Pick<Parameters<typeof playMatch>[0], 'seed' | 'bots' | 'people'>,
): Played[] {
  const ruled = rules ? { rules } : {};
  return Array.from({ length: seeds }, (_, index) =>
    playMatch({ seconds, warmUpSeconds, ...ruled, ...setupOf(index + 1) }),
  );
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0
    ? Number.NaN
    : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

function sum<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
