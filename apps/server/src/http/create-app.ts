import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { failure } from '@engulf/domain/errors/registry';
import fastifyCookie from '@fastify/cookie';
import fastifyHelmet from '@fastify/helmet';
import fastifyMultipart from '@fastify/multipart';
import fastifyRateLimit from '@fastify/rate-limit';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import {
  hasZodFastifySchemaValidationErrors,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import type { Answered } from '../metrics/metrics.ts';
import { clientAddress } from '../platform/client-address.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { limitConnections, limitRequests, SLOW_CLIENT_LIMITS } from './connection-limits.ts';
import { noteRoutes } from './docs/known-routes.ts';
import { watchGameOrigins } from './game-origins.ts';
import { rateLimitStoreOn } from './rate-limit-store.ts';
import { sendFailure } from './serve-call.ts';
import type { Site } from './site.ts';
import { createWaitingLine } from './waiting-line.ts';

export type AppOptions = {
  readonly config: Config;
  readonly site: () => Site;
  /** Sees requests before the application does. */
  readonly before?: ((listener: RequestListener) => RequestListener) | undefined;
  /** Counts requests. */
  readonly onAnswered?: (answer: Answered) => void;
};

/** The HTTP server with what every route needs; the roles add their routes before it listens. */
export async function createApp(
  context: Pick<Context, 'db' | 'chain' | 'rateLimits' | 'logger' | 'nowMs'>,
  options: AppOptions,
): Promise<{ app: FastifyInstance; server: Server }> {
  const { config, site } = options;
  let server: Server | undefined;
  const hasRooms = config.roles.has('game') && config.roomProcesses === 0;
  const line = createWaitingLine(systemClock, config.rateLimitScale, hasRooms);
  const app = fastify({
    loggerInstance: context.logger.child({ part: 'http' }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    bodyLimit: 64 * 1024,
    serverFactory: (handler) => {
      server = createServer(SLOW_CLIENT_LIMITS, options.before?.(handler) ?? handler);
      limitConnections(server, config);
      limitRequests(server, config, line);
      return server;
    },
  });
  readEmptyJson(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const addressOf = (request: IncomingMessage) => clientAddress(request, config.trustProxy);
  app.decorate('rateLimitScale', config.rateLimitScale);
  app.decorate('addressOf', addressOf);
  app.decorate('knowAddress', line.know);
  app.decorate('knownRoutes', noteRoutes(app));
  await app.register(fastifyCookie);
  await app.register(fastifyMultipart);
  await app.register(fastifyHelmet, securityHeaders(context, config));
  await app.register(fastifyRateLimit, {
    global: false,
    keyGenerator: ({ raw }) => addressOf(raw),
    store: rateLimitStoreOn(context.rateLimits),
  });
  app.decorateReply('refusalCode', undefined);
  if (options.onAnswered) countAnswers(app, options.onAnswered);
  forbidCaching(app);
  refuseForeignPages(app, site);
  answerErrors(app);
  return { app, server: server! };
}

/** Some clients send the content type of JSON without a body. */
function readEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body, done);
  });
}

function securityHeaders(context: Pick<Context, 'db' | 'chain' | 'nowMs'>, config: Config) {
  const { chain } = context;
  const gameOrigins = watchGameOrigins(context);
  const isHttps = config.publicUrl?.protocol === 'https:';
  return {
    contentSecurityPolicy: {
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'", "'wasm-unsafe-eval'"],
        // The page talks to the chain directly: the wallet's transaction does not pass through us.
        'connect-src': [
          "'self'",
          'ws:',
          'wss:',
          new URL(chain.publicRpcUrl).origin,
          new URL(chain.publicWsUrl).origin,
          ...(config.gameUrl === null ? [] : [new URL(config.gameUrl).origin]),
          gameOrigins,
        ],
        'img-src': ["'self'", 'data:', 'blob:'],
        'style-src': ["'self'", "'unsafe-inline'"],
        'font-src': ["'self'", 'data:'],
        'worker-src': ["'self'", 'blob:'],
        'frame-ancestors': ["'none'"],
        'upgrade-insecure-requests': isHttps ? [] : null,
      },
    },
    strictTransportSecurity: isHttps,
    // Windows that wallets open must be able to talk to their opener.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' as const },
  };
}

function countAnswers(app: FastifyInstance, onAnswered: (answer: Answered) => void): void {
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const { statusCode: status, refusalCode: code, elapsedTime: tookMs } = reply;
    onAnswered({ method, route: routeOptions.url ?? 'none', status, code, tookMs });
  });
}

/** Answers are private and short-lived. The files of the page set their own header. */
function forbidCaching(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}

/** SameSite keeps the cookie on our own site; this also covers browsers that do not honour it. */
function refuseForeignPages(app: FastifyInstance, site: () => Site): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (request.method === 'GET' || origin === undefined || site().isOwnOrigin(origin)) return;
    await sendFailure(reply, failure('FORBIDDEN'));
  });
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, code } = error as { statusCode?: number; code?: string };
    if (hasZodFastifySchemaValidationErrors(error)) return sendFailure(reply, failure('INVALID_REQUEST'));
    if (statusCode === 429) return sendFailure(reply, failure('RATE_LIMITED'));
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return sendFailure(reply, failure('PAYLOAD_TOO_LARGE'));
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
      return sendFailure(reply, failure('INVALID_REQUEST'));
    }
    request.log.error(
      { code: 'REQUEST_FAILED', err: error, reqId: request.id, url: request.routeOptions.url },
      'request failed',
    );
    return sendFailure(reply, failure('INTERNAL_ERROR'));
  });
}
