import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { BENCHMARKS } from './all/benchmarks.ts';
import { replacePart, toMarkdown } from './all/write-tables.ts';

/*
 * Runs the benchmarks one after the other, or those that are named, and writes their tables into docs/performance.md. A
 * benchmark without a result leaves its table as it was. Takes 20 minutes and needs an otherwise idle machine.
 */

const DOCUMENT = new URL('../docs/performance.md', import.meta.url);

const loadBefore = loadavg()[0]!;
const silent: string[] = [];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  console.error(
    `No such benchmark: ${unknown.join(', ')}. There are ${BENCHMARKS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
const chosen = BENCHMARKS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
for (const { name, arguments: parameters, rowsOf } of chosen) {
  process.stderr.write(`▸ ${name}\n`);
  const { stdout } = spawnSync(process.execPath, [...parameters, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const rows = rowsOf(JSON.parse(stdout.trim().split('\n').at(-1) || '{}'));
  if (rows?.length) write(name, toMarkdown(rows));
  else silent.push(name);
}
write('machine', describeMachine());
if (silent.length > 0) console.error(`No figures: ${silent.join(', ')}`);
process.exit(silent.length > 0 ? 1 : 0);

function write(name: string, text: string): void {
  writeFileSync(DOCUMENT, replacePart(readFileSync(DOCUMENT, 'utf8'), name, text));
}

function describeMachine(): string {
  const cores = cpus();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 10);
  return [
    `${day}: ${cores.length} cores, ${cores[0]?.model.trim()}, ${memoryGb} GB, Node ${process.versions.node};`,
    `load ${loadBefore.toFixed(1)} before the first benchmark.`,
  ].join(' ');
}
