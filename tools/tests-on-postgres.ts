import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = 'apps/server/src';

/** The folders in which the database matters most. */
const FOLDERS = [
  'accounts',
  'chat',
  'entries',
  'game-host',
  'limits',
  'lobbies',
  'matches',
  'money',
  'payments',
  'social',
  'stats',
];

/** They have a PostgreSQL of their own, or mostly wait for a chain or a process, with queries that others make as well. */
const LEFT_OUT = [
  'payments/restored-backup.test.ts',
  'payments/unreadable-transactions.test.ts',
  'money/signer/signer-process.test.ts',
  'social/first-block.test.ts',
];

/** The files that `npm run test:scale` runs on PostgreSQL and Redis. `npm test` runs them too, `.ci/run` there only. */
export const TESTS_ON_POSTGRES: readonly string[] = globSync(`{${FOLDERS.join(',')}}/**/*.test.ts`, {
  cwd: join(ROOT, SOURCE),
})
  .filter((file) => !LEFT_OUT.includes(file))
  .map((file) => join(SOURCE, file));
