import type { Context } from '../platform/context.ts';
import { gameProcesses } from '../platform/database/games.ts';

const READ_EVERY_MS = 5_000;

/**
 * The origins of the game processes, for the policy of the page, which measures the way to each. Read in the background when
 * somebody asks: a page that came too early measures nothing.
 */
export function watchGameOrigins({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>): () => string {
  let origins = '';
  let readAtMs = Number.NEGATIVE_INFINITY;
  const read = async () => {
    const rows = await db.selectDistinct({ address: gameProcesses.address }).from(gameProcesses);
    const known = rows.flatMap(({ address }) => (address === null ? [] : [new URL(address).origin]));
    origins = [...new Set(known)].toSorted().join(' ');
  };
  return () => {
    if (nowMs() - readAtMs >= READ_EVERY_MS) {
      readAtMs = nowMs();
      // The page can do without, and the database is watched elsewhere.
      read().catch(() => undefined);
    }
    return origins;
  };
}
