import { parseArgs } from 'node:util';
import { compare, type Duration, measureQuiet } from './measure.ts';
import { type SizeResult, toJson, toTable } from './report.ts';

/*
 * Times the simulation's step beside a plain implementation of the same rules. The reference is slow at the
 * large sizes, so these get fewer steps.
 */

const SIZES: readonly ({ readonly cells: number } & Duration)[] = [
  { cells: 160, warmUpSteps: 400, timedSteps: 600 },
  { cells: 1_000, warmUpSteps: 200, timedSteps: 600 },
  { cells: 5_000, warmUpSteps: 60, timedSteps: 200 },
  { cells: 10_000, warmUpSteps: 40, timedSteps: 120 },
];

const { values: options } = parseArgs({ options: { json: { type: 'boolean', default: false } } });

const results: SizeResult[] = [];
for (const { cells, ...duration } of SIZES) {
  process.stderr.write(`${cells.toLocaleString('en')} cells …`);
  const startedAt = performance.now();
  results.push({ cells, busy: compare(cells, duration), quiet: measureQuiet(cells, duration) });
  process.stderr.write(` ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
}
console.log(options.json ? toJson(results) : toTable(results));
