import type pg from 'pg';

/**
 * Counts heartbeats of the game processes, which are a second apart while the machine keeps up. Where it does not, they
 * are as late as everything else, so what takes too many of them is too slow on any machine. Resolves to a function
 * that tells how many there have been since.
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
