import { parseArgs } from 'node:util';
import { LINES } from './feel/line.ts';
import { measureLine } from './feel/measure-line.ts';

/*
 * How steering feels over lines of different quality, in virtual time: nothing waits, and the same seed gives the
 * same figures.
 */

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    deaths: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});

const effort = { seconds: Number(options.seconds), deaths: Number(options.deaths) };
const lines = LINES.map((line) => measureLine(line, effort, Number(options.seed)));
if (options.json) console.log(JSON.stringify({ lines }));
else console.table(lines);
