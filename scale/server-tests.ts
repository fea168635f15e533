import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithUs, startPostgres, startRedis } from '@engulf/server/testing/services';
import { TESTS_ON_POSTGRES } from '../tools/tests-on-postgres.ts';

/*
 * The server's own tests on PostgreSQL and Redis. With `npm test` they run on the embedded database, whose
 * transactions never meet.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Resolves to what went wrong. */
export async function runServerTests(): Promise<string[]> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  try {
    const tests = endWithUs(
      spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...TESTS_ON_POSTGRES], {
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
