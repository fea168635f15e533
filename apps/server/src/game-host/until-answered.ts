import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../platform/context.ts';

const RETRY_MS = 250;

/** Retries until the database answers: until then nobody knows whose lobby or match it is. */
export async function untilAnswered<Answer>(
  { logger }: Pick<Context, 'logger'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      logger.error({ code: 'LEDGER_UNAVAILABLE', err: error }, 'a lobby is being given away; retrying');
      await sleep(RETRY_MS);
    }
  }
}
