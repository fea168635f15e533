import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithUs, startPostgres, startRedis } from '@engulf/server/testing/services';

/*
 * The server's own tests once more, on PostgreSQL and Redis. With `npm test` they run on the embedded database, whose
 * transactions never meet.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
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

/** Resolves to what went wrong. */
export async function runServerTests(): Promise<string[]> {
  const files = globSync(`{${FOLDERS.join(',')}}/**/*.test.ts`, { cwd: join(ROOT, SOURCE) })
    .filter((file) => !LEFT_OUT.includes(file))
    .map((file) => join(SOURCE, file));
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  try {
    const tests = endWithUs(
      spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files], {
        cwd: ROOT,
        stdio: 'inherit',
        env: { ...process.env, TEST_DATABASE_URL: postgres.url, TEST_REDIS_URL: redis.url },
      }),
    );
    const [code] = await once(tests, 'exit');
    return code === 0 ? [] : ["the server's tests failed on PostgreSQL and Redis"];
  } finally {
    await Promise.all([postgres.dispose(), redis.dispose()]);
  }
}
