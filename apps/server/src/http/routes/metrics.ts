import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../metrics/metrics.ts';

/**
 * For Prometheus. Protected by a token on the port that every role has, rather than by a port of its own: Prometheus runs
 * on another machine, and a port would be as open as its network. Without a token the route does not exist.
 */
export function registerMetrics(
  app: FastifyInstance,
  { registry }: Metrics,
  token: string | undefined,
): void {
  if (token === undefined) return;
  app.get('/metrics', async ({ headers }, reply) => {
    if (!isSame(headers.authorization ?? '', `Bearer ${token}`)) {
      return reply.status(401).header('www-authenticate', 'Bearer').send();
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}
