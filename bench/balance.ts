import { parseArgs } from 'node:util';
import { measureNewcomers, measurePopulation, measureWays, POPULATIONS } from './balance/measure.ts';

/*
 * npm run bench:balance
 *
 * How the arena plays at every size, and what each way of playing returns. In virtual time: the same seeds give the same
 * figures. docs/balance.md has the goals.
 */

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seeds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '600' },
    part: { type: 'string', default: 'populations,ways,newcomers' },
  },
});

const parts = options.part.split(',');
const seeds = Number(options.seeds);
const seconds = Number(options.seconds);
const effort = { seeds, seconds, warmUpSeconds: 90 };

const populations = parts.includes('populations')
  ? POPULATIONS.map((players) => measurePopulation(players, effort))
  : [];
// Returns scatter far more than the rest: somebody wins everything, or nothing.
const ways = parts.includes('ways') ? measureWays({ ...effort, seeds: 4 * seeds, warmUpSeconds: 0 }) : [];
const newcomers = parts.includes('newcomers') ? measureNewcomers(effort) : [];

if (options.json) console.log(JSON.stringify({ populations, ways, newcomers }));
else {
  console.table(populations);
  console.table(ways);
  console.table(newcomers);
}
