import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Counts heartbeats of the game processes, by which they judge each other too: a second apart, later on a machine that
 * does not keep up. Resolves to a function that tells how many there have been since.
 */
export async function countHeartbeats(db: pg.Pool): Promise<() => Promise<number>> {
  const before = await readBeats(db);
  return async () => {
    const after = await readBeats(db);
    // Of the process that was the least disturbed.
    return Math.max(0, ...[...after].map(([id, beats]) => beats - (before.get(id) ?? beats)));
  };
}

async function readBeats(db: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; beats: number }>('select id, beats from game_processes');
  return new Map(rows.map(({ id, beats }) => [id, Number(beats)]));
}

/** Resolves to the heartbeats of the others until the process at this address is declared dead. */
export async function beatsUntilDead(db: pg.Pool, address: string, giveUpMs: number): Promise<number> {
  const beats = await countHeartbeats(db);
  const startedMs = Date.now();
  const isListed = async () =>
    (await db.query('select from game_processes where address = $1', [address])).rowCount !== 0;
  while (await isListed()) {
    if (Date.now() - startedMs > giveUpMs) return Number.POSITIVE_INFINITY;
    await sleep(100);
  }
  return beats();
}
