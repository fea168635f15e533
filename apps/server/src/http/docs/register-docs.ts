import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import type { FastifyInstance } from 'fastify';
import { sendPage } from '../pages/send-page.ts';
import type { Site } from '../site.ts';
import { describeApi } from './describe-api.ts';
import { describeSockets } from './describe-sockets.ts';
import { docsPage } from './docs-page.ts';

const READS_PER_MINUTE = 60;
const MAX_AGE_SECONDS = 300;

/** The API's own description: a page, and for tools an OpenAPI and an AsyncAPI document. */
export function registerDocs(app: FastifyInstance, site: () => Site): void {
  const limited = {
    config: { rateLimit: { max: READS_PER_MINUTE * app.rateLimitScale, timeWindow: 60_000 } },
  };
  const api = once(() =>
    describeApi(app.knownRoutes, { serverUrl: site().publicUrl.origin, version: PROTOCOL_VERSION }),
  );
  const sockets = once(() => describeSockets({ serverUrl: site().publicUrl.origin }));
  app.get('/docs', limited, (_request, reply) =>
    sendPage(reply, docsPage(api(), sockets()), { maxAgeSeconds: MAX_AGE_SECONDS }),
  );
  const serve = (path: string, describe: () => object) =>
    app.get(path, limited, (_request, reply) =>
      reply
        .header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(describe())),
    );
  serve('/docs/openapi.json', api);
  serve('/docs/asyncapi.json', sockets);
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
