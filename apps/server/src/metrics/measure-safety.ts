import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { Context } from '../platform/context.ts';
import { readWalArchive } from '../platform/database/wal-archive.ts';
import type { Metrics } from './metrics.ts';

/** All other figures wait for it. */
const ANSWER_WITHIN_MS = 2_000;

/**
 * The signer has no metrics of its own: it talks to nobody but the worker, which therefore says whether it answers. A signer with
 * another secret refuses, as it would refuse a claim.
 */
export function measureSigner({ registry }: Metrics, signer: { keys(): Promise<unknown> }): void {
  new Gauge({
    name: 'engulf_signer_up',
    help: '1 if the process that signs payouts answers this worker',
    registers: [registry],
    async collect() {
      const answered = signer.keys().then(
        () => true,
        () => false,
      );
      const isUp = await Promise.race([answered, sleep(ANSWER_WITHIN_MS, false, { ref: false })]);
      this.set(isUp ? 1 : 0);
    },
  });
}

/** Infinite without an archive; left out while the database does not answer. */
export function measureArchive({ registry }: Metrics, { db, nowMs }: Pick<Context, 'db' | 'nowMs'>): void {
  new Gauge({
    name: 'engulf_wal_archive_age_seconds',
    help: 'Time since PostgreSQL archived a piece of its log, or began to count',
    registers: [registry],
    async collect() {
      this.remove();
      const archive = await readWalArchive(db).catch(() => undefined);
      if (!archive) return;
      const { isOn, archivedUntil } = archive;
      this.set(isOn ? (nowMs() - archivedUntil.getTime()) / 1000 : Number.POSITIVE_INFINITY);
    },
  });
}
