import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import type { FastifyInstance } from 'fastify';
import { sendPage } from '../pages/send-page.ts';
import type { Site } from '../site.ts';
import { type ApiDescription, describeApi } from './describe-api.ts';
import { docsPage } from './docs-page.ts';

const READS_PER_MINUTE = 60;
const MAX_AGE_SECONDS = 300;

/** The API's own description: a page, and an OpenAPI document for tools. */
export function registerDocs(app: FastifyInstance, site: () => Site): void {
  const limited = {
    config: { rateLimit: { max: READS_PER_MINUTE * app.rateLimitScale, timeWindow: 60_000 } },
  };
  let described: ApiDescription | undefined;
  const describe = () => {
    described ??= describeApi(app.knownRoutes, {
      serverUrl: site().publicUrl.origin,
      version: PROTOCOL_VERSION,
    });
    return described;
  };
  app.get('/docs', limited, (_request, reply) =>
    sendPage(reply, docsPage(describe()), { maxAgeSeconds: MAX_AGE_SECONDS }),
  );
  app.get('/docs/openapi.json', limited, (_request, reply) =>
    reply
      .header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(describe())),
  );
}
