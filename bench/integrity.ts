import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { KIND_NAMES } from './integrity/cast.ts';
import { latenessTable } from './integrity/lateness.ts';
import { measureReading } from './integrity/measure.ts';
import type { Effort } from './integrity/season.ts';
import type { SeasonFigures } from './integrity/season-worker.ts';

/*
 * npm run bench:integrity
 *
 * Seasons of a lobby with stand-ins for people and planted cheats: after how many of their matches the cheats are put
 * forward, and who else. The same seeds give the same figures, whatever the machine. Seeds from 1 on are for tuning, those of
 * the figures begin at 3001. docs/integrity.md has the goals. --late: what it is worth to see the match some seconds late.
 */

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    tuning: { type: 'boolean', default: false },
    matches: { type: 'string', default: '240' },
    seconds: { type: 'string', default: '600' },
    rate: { type: 'string', default: '1' },
    late: { type: 'boolean', default: false },
  },
});

if (options.late) {
  console.log(latenessTable());
  process.exit();
}

/** Three of the eleven kinds play in each. */
const SEASON_MATCHES = 60;
const matches = Math.max(1, Math.round(Number(options.matches)));
const seasons = Math.max(1, Math.round(matches / SEASON_MATCHES));
const effort: Effort = {
  matches: Math.round(matches / seasons),
  seats: 20,
  honest: 60,
  seconds: Number(options.seconds),
  rate: Number(options.rate) / 100,
};
const firstSeed = options.tuning ? 1 : 3_001;
const played = await playAll(Array.from({ length: seasons }, (_, index) => firstSeed + index));
const corePctPer100Players = await measureReading();

const kinds = KIND_NAMES.map((name) => {
  const after = played.map(({ foundAfter }) => foundAfter[name] ?? Infinity);
  const found = after.filter((count) => count !== Infinity);
  return {
    name,
    // Half of them are found by then; null if fewer are found at all.
    foundAfterMatches: 2 * found.length < after.length ? null : middleOf(after),
    foundPct: Math.round((100 * found.length) / after.length),
    after,
  };
});
const rightly = played.reduce((sum, season) => sum + season.rightly, 0);
const falsely = played.flatMap((season) => season.falsely);
const falseDiscoveryPct = round((100 * falsely.length) / Math.max(1, rightly + falsely.length));

if (options.json) {
  const brief = kinds.map(({ name, foundAfterMatches, foundPct }) => ({ name, foundAfterMatches, foundPct }));
  console.log(JSON.stringify({ kinds: brief, falseDiscoveryPct, corePctPer100Players }));
} else {
  const perKind = Math.max(...played.map(({ playedBy }) => Math.max(...Object.values(playedBy))));
  const steps = [1, 2, 3, 5, 7, 10, 15, 18].filter((count) => count <= perKind);
  console.log(
    `${seasons * effort.matches} matches of ${effort.seconds} s, ${seasons} seasons, found after so many matches, in %`,
  );
  console.log(`| kind | median | ${steps.join(' | ')} |\n|---|---|${steps.map(() => '---|').join('')}`);
  for (const { name, foundAfterMatches, after } of kinds) {
    const curve = steps.map((count) =>
      Math.round((100 * after.filter((found) => found <= count).length) / after.length),
    );
    console.log(`| ${name} | ${foundAfterMatches ?? '–'} | ${curve.join(' | ')} |`);
  }
  console.log(`put forward: ${rightly} rightly, ${falsely.length} falsely (${falseDiscoveryPct} %)`);
  for (const line of falsely) console.log(`  ${line}`);
  console.log(`reading recordings: ${corePctPer100Players} % of a core per 100 players`);
}

/** A season per thread, as many at once as there are cores. */
async function playAll(seeds: readonly number[]): Promise<SeasonFigures[]> {
  const figures: SeasonFigures[] = [];
  const waiting = [...seeds.entries()];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, seed] = next;
      figures[index] = await playApart(seed);
    }
  };
  await Promise.all(Array.from({ length: Math.min(seeds.length, availableParallelism()) }, lane));
  return figures;
}

function playApart(seed: number): Promise<SeasonFigures> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./integrity/season-worker.ts', import.meta.url), {
      workerData: { seed, effort },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
