import { sql } from 'drizzle-orm';
import { fromDrizzle, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database, OpenDatabase } from './database/open-database.ts';

/** What there is to do is written in our own tables; a job only says that it is time to look. */
export const JOB_NAMES = ['verify-payment', 'pay-lobby', 'reconcile-lobby'] as const;
export type JobName = (typeof JOB_NAMES)[number];

export type JobQueue = {
  /** Becomes visible with the transaction. Asking twice for the same key is asking once. */
  nudge(tx: Database, name: JobName, key: string): Promise<void>;
  work(name: JobName, handler: (key: string) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};

const POLL_SECONDS = 0.5;
/** Done side by side by one poller: each further one asks the database twice a second. */
const BATCH = 16;
const STOP_TIMEOUT_MS = 10_000;

export async function startJobQueue(storage: OpenDatabase['jobStorage'], logger: Logger): Promise<JobQueue> {
  const boss = new PgBoss({ ...storage, schedule: false });
  boss.on('error', (error) => logger.error({ err: error }, 'job queue failed'));
  await boss.start();
  for (const name of JOB_NAMES) {
    // At most one waiting and one running job per key: a nudge during the work leads to another look after it.
    await boss.createQueue(name, {
      policy: 'stately',
      retryLimit: 0,
      expireInSeconds: 120,
      deleteAfterSeconds: 60,
    });
    // Asks for the queue once, outside any transaction: on the embedded database's one connection a nudge that had
    // to look it up from inside a transaction would wait for that transaction for ever.
    await boss.findJobs(name, { key: 'none' });
  }
  /** The next sweep asks again for what went wrong; the job itself need not be kept. */
  const attempt = async (
    name: JobName,
    key: string,
    handler: (key: string) => Promise<void>,
  ): Promise<void> => {
    try {
      await handler(key);
    } catch (error) {
      logger.error({ err: error, job: name, key }, 'job failed');
    }
  };
  return {
    nudge: async (tx, name, key) => {
      await boss.send(name, { key }, { singletonKey: key, db: fromDrizzle(tx, sql) });
    },
    work: async (name, handler) => {
      const options = { pollingIntervalSeconds: POLL_SECONDS, batchSize: BATCH };
      await boss.work<{ key: string }>(name, options, async (batch) => {
        await Promise.all(batch.map(({ data: { key } }) => attempt(name, key, handler)));
      });
    },
    stop: () => boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }),
  };
}
