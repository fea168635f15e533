import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const shared = {
  exclude: ['**/node_modules/**', '**/target/**'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    reporters: ['default', './tools/closing-counts.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'code',
          // On two cores one worker would leave the other core idle while a test waits for a disk or a chain.
          maxWorkers: Math.max(2, availableParallelism() - 1),
          include: ['{packages,programs,apps,tools,bench}/**/*.test.{ts,tsx}'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          // After the rest and one file at a time: browser, server and chain need the whole machine.
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
