import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// A busy machine is no failure. With PostgreSQL (`npm run test:scale`) queries take longer than in memory.
const timeoutMs = process.env.TEST_DATABASE_URL ? 180_000 : 120_000;

const shared = {
  exclude: ['**/node_modules/**', '**/target/**'],
  testTimeout: timeoutMs,
  hookTimeout: timeoutMs,
};

// More than the cores of a small machine: most tests wait for a disk, a socket or a chain half of the time.
const maxWorkers = Math.max(3, availableParallelism() - 1);

/** Nothing in these remembers anything, so their files share what a worker has loaded. */
const PURE = [
  'packages/{card,chain,domain,netcode,protocol,sim,verify}/**/*.test.ts',
  '{programs,bench}/**/*.test.ts',
];
const CODE = '{packages,programs,apps,tools,bench,crash}/**/*.test.{ts,tsx}';
const START_PROCESSES =
  /child_process|testing\/services|trials\/server-home|spawn-localnet|start-room-process/;
/** Test files that start servers or other programs, each of which wants a core of its own. */
const processes = globSync(CODE, { cwd: import.meta.dirname, exclude: shared.exclude }).filter((file) =>
  START_PROCESSES.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
);

export default defineConfig({
  test: {
    reporters: ['default', './tools/closing-counts.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'pure',
          maxWorkers,
          isolate: false,
          include: PURE,
          exclude: [...shared.exclude, ...processes],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'code',
          maxWorkers,
          include: [CODE],
          exclude: [...shared.exclude, ...PURE, ...processes],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'processes',
          include: processes,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          // After the rest and one file at a time: browser, server and chain need the whole machine.
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          // The walk with axe through every screen takes five minutes more than CI has.
          exclude: process.env.CI ? [...shared.exclude, 'e2e/screens.test.ts'] : shared.exclude,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
