import type { Context } from '../platform/context.ts';
import type { Visitors } from './visitors.ts';

/**
 * Polls the database for the signed-in visitors while there are any. A slow database is asked again only once it has
 * answered. Returns a function that stops it.
 */
export function lookRegularly(
  { logger }: Pick<Context, 'logger'>,
  visitors: Visitors,
  { everyMs, what }: { readonly everyMs: number; readonly what: string },
  look: () => Promise<void>,
): () => void {
  let isReading = false;
  let isStopped = false;
  const timer = setInterval(async () => {
    if (isReading || visitors.userIds().length === 0) return;
    isReading = true;
    try {
      await look();
    } catch (error) {
      // The database may be closed before the last poll is done.
      if (!isStopped) logger.error({ code: 'MENU_NOT_READ', err: error }, `${what} could not be read`);
    } finally {
      isReading = false;
    }
  }, everyMs);
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}
