import { failure } from '@engulf/domain/errors/registry';
import { readMatch } from '@engulf/protocol/http/matches';
import type { FastifyInstance } from 'fastify';
import { rememberFor } from '../../platform/remember.ts';
import { sendPicture } from '../send-picture.ts';
import { sendFailure } from '../serve-call.ts';

const MAX_AGE_SECONDS = 600;

class TooBusy extends Error {}

type Card<Facts> = {
  /** With the parameter `id`. */
  readonly url: string;
  nowMs(): number;
  /** How many are kept; a card is about a quarter of a megabyte. */
  readonly maxKept: number;
  /** What the card says now; undefined if there is none. */
  find(id: string): Promise<Facts | undefined>;
  /** Undefined while too many are being drawn. */
  render(facts: Facts): Promise<Uint8Array | undefined>;
};

/** Serves the pictures that other sites show of links to our pages. */
export function serveCard<Facts>(
  app: FastifyInstance,
  { url, nowMs, maxKept, find, render }: Card<Facts>,
): void {
  const drawn = rememberFor(
    { ms: 1000 * MAX_AGE_SECONDS, maxKeys: maxKept, nowMs },
    async (facts: string) => {
      const picture = await render(JSON.parse(facts) as Facts);
      if (!picture) throw new TooBusy();
      return picture;
    },
  );
  const { max, windowMs } = readMatch.limit;
  app.route({
    method: 'GET',
    url,
    config: { rateLimit: { max: max * app.rateLimitScale, timeWindow: windowMs } },
    handler: async (request, reply) => {
      const facts = await find((request.params as { id: string }).id);
      if (facts === undefined) return sendFailure(reply, failure('NOT_FOUND'));
      try {
        // What a card says may change.
        return sendPicture(reply, await drawn(JSON.stringify(facts)), `max-age=${MAX_AGE_SECONDS}`);
      } catch (error) {
        if (error instanceof TooBusy) return sendFailure(reply, failure('RATE_LIMITED'));
        throw error;
      }
    },
  });
}
