import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { TESTS_ON_POSTGRES } from './tools/tests-on-postgres.ts';
import { WalksFirst } from './tools/walks-first.ts';

// A busy machine is no failure. With PostgreSQL (`npm run test:scale`) queries take longer than in memory.
const timeoutMs = process.env['TEST_DATABASE_URL'] ? 180_000 : 120_000;

// .ci/run runs each test once.
const elsewhere = process.env['SPLIT_TESTS'] && !process.env['TEST_DATABASE_URL'] ? TESTS_ON_POSTGRES : [];

// Twice the cores of a small machine: most tests wait for a disk, a socket or a chain half of the time.
const maxWorkers = Math.max(4, availableParallelism());

/** Whether files or a project are asked for by name: `npm test` alone leaves out the walks through the game in a browser. */
const isNamed = process.argv.slice(2).some((word) => !word.startsWith('-') && word !== 'run');

/** A server, its chain and a browser want a core each: four at a time take as long, and keep players waiting for a minute. */
const PROCESS_WORKERS = 2;

const shared = {
  exclude: ['**/node_modules/**', '**/target/**', ...elsewhere],
  testTimeout: timeoutMs,
  hookTimeout: timeoutMs,
  maxWorkers,
};

const CODE = '{packages,programs,apps,tools,bench,crash}/**/*.test.{ts,tsx}';
const START_PROCESSES =
  /child_process|testing\/services|trials\/server-home|spawn-localnet|start-room-process/;
const REPLACE_MODULES = /vi\.(mock|doMock)\(/;

const files = globSync(CODE, { cwd: import.meta.dirname, exclude: shared.exclude }).map((name) => ({
  name,
  text: readFileSync(join(import.meta.dirname, name), 'utf8'),
}));
/** Test files that start servers or other programs. */
const processes = files.filter(({ text }) => START_PROCESSES.test(text)).map(({ name }) => name);
/** Test files that see other modules than the rest. */
const replacing = files.filter(({ text }) => REPLACE_MODULES.test(text)).map(({ name }) => name);

export default defineConfig({
  test: {
    reporters: ['default', './tools/closing-counts.ts'],
    sequence: { sequencer: WalksFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'code',
          sequence: { groupOrder: 0 },
          // Files share what a worker has loaded: loading the server anew for each took half of the whole run.
          isolate: false,
          setupFiles: './tools/after-each-file.ts',
          include: [CODE],
          exclude: [...shared.exclude, ...processes, ...replacing],
        },
      },
      {
        test: {
          ...shared,
          name: 'replacing',
          sequence: { groupOrder: 0 },
          include: replacing,
        },
      },
      {
        test: {
          ...shared,
          name: 'processes',
          maxWorkers: PROCESS_WORKERS,
          sequence: { groupOrder: 1 },
          isolate: false,
          setupFiles: './tools/after-each-file.ts',
          include: processes,
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          maxWorkers: PROCESS_WORKERS,
          sequence: { groupOrder: 1 },
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 60_000 } },
          globalSetup: './e2e/unpack-chromium.ts',
          include: ['e2e/**/*.test.ts'],
          exclude: isNamed ? shared.exclude : [...shared.exclude, 'e2e/walks/**'],
        },
      },
    ],
  },
});
