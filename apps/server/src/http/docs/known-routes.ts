import type { HttpCall } from '@engulf/protocol/http/call';
import type { FastifyInstance } from 'fastify';

/** A route as it was registered. */
export type KnownRoute = {
  readonly method: string;
  readonly path: string;
  /** Undefined for a route that is not a call of the protocol. */
  readonly call: HttpCall | undefined;
  readonly needsSession: boolean;
};

/** Files of the page and the X that developers play with are not part of the API. */
const isInternal = (path: string) =>
  /^\/(\*$|assets|metrics$|dev\/x|docs|how-to-play$|page-fonts|[\w-]+\.\w+$|$)/.test(path);

/** Notes every route that is registered from here on. */
export function noteRoutes(app: FastifyInstance): readonly KnownRoute[] {
  const routes: KnownRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const name of [method].flat()) {
      if (name === 'HEAD' || name === 'OPTIONS' || isInternal(url)) continue;
      routes.push({
        method: name,
        path: url,
        call: config?.call,
        needsSession: config?.needsSession ?? false,
      });
    }
  });
  return routes;
}

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can extend the library's type
  interface FastifyContextConfig {
    call?: HttpCall;
    needsSession?: boolean;
  }
}
