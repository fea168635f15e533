import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const SETTLE_WITHIN_MS = 300_000;

const OPEN = `select
  (select count(*) from entries where state in ('created', 'payment_processing', 'ticketSent', 'playing', 'refunding')) +
  (select count(*) from payouts where status <> 'completed') +
  (select count(*) from payments where status = 'verifying') as open`;

/** Waits until everybody has their money. Resolves to the time that took; the audit tells what is left. */
export async function settle(db: pg.Pool): Promise<number> {
  const startedMs = Date.now();
  while (Date.now() - startedMs < SETTLE_WITHIN_MS) {
    const { rows } = await db.query<{ open: string }>(OPEN);
    if (rows[0]!.open === '0') break;
    await sleep(250);
  }
  return Date.now() - startedMs;
}
