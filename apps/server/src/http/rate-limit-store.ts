import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { RateLimits } from '../platform/fleet/rate-limits.ts';

type RouteOptions = Parameters<FastifyRateLimitStore['child']>[0];

/** Lets the library count over all processes. Every route has windows of its own. */
export function rateLimitStoreOn(limits: RateLimits): FastifyRateLimitStoreCtor {
  const storeFor = (route: string): FastifyRateLimitStore => ({
    incr: (address, done, windowMs) => {
      limits.count(`http ${route} ${address}`, windowMs).then(
        ({ current, msLeft }) => done(null, { current, ttl: msLeft }),
        (error: Error) => done(error),
      );
    },
    child: (options) => storeFor(nameOf(options)),
  });
  return function Store() {
    return storeFor('');
  } as unknown as FastifyRateLimitStoreCtor;
}

/** The library passes the route, but its types do not say so. */
function nameOf(options: RouteOptions): string {
  const { routeInfo } = options as unknown as { readonly routeInfo: { method: string; url: string } };
  return `${routeInfo.method} ${routeInfo.url}`;
}
