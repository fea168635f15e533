import { parseArgs } from 'node:util';
import {
  BOT_WAY,
  measureBlind,
  measureNewcomers,
  measurePopulation,
  measureTable,
  POPULATIONS,
} from './balance/measure.ts';

/*
 * npm run bench:balance
 *
 * How the arena plays at every size, and what each way of playing returns. In virtual time: the same seeds give the same
 * figures. docs/balance.md has the goals.
 */

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seeds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '600' },
    part: { type: 'string', default: 'populations,ways,newcomers' },
  },
});

const parts = options.part.split(',');
const seeds = Number(options.seeds);
const seconds = Number(options.seconds);
const effort = { seeds, seconds, warmUpSeconds: 90 };

const populations = parts.includes('populations')
  ? // A few players meet and die by chance, so few of them take more matches.
    POPULATIONS.map((players) =>
      measurePopulation(players, { ...effort, seeds: players < 10 ? 3 * seeds : Math.ceil(seeds / 2) }),
    )
  : [];
// Returns scatter far more than the rest: somebody wins everything, or nothing.
const many = { ...effort, seeds: 4 * seeds, warmUpSeconds: 0 };
const measured = parts.includes('ways') ? [...measureBlind(many), ...measureTable(many)] : [];
// What the bots make of it is for comparison: nobody plays as they do.
const ways = measured.filter(({ name }) => name !== BOT_WAY);
const newcomers = parts.includes('newcomers') ? measureNewcomers(effort) : [];

if (options.json) {
  const brief = populations.map(({ players, inViewPct, firstMeetingSeconds, killsPerPlayerMinute }) => {
    return { players, inViewPct, firstMeetingSeconds, killsPerPlayerMinute };
  });
  console.log(JSON.stringify({ populations: brief, ways, newcomers }));
} else {
  console.table(populations);
  console.table(measured);
  console.table(newcomers);
}
