import type { IncomingMessage } from 'node:http';
import { describeFailure, type Failure, refuse } from '@engulf/domain/errors/registry';
import type { Result } from '@engulf/domain/errors/result';

import type { AnswerOf, HttpCall } from '@engulf/protocol/http/call';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { findSessionUser, SESSION_COOKIE } from '../accounts/sessions.ts';
import type { Context } from '../platform/context.ts';
import type { UserRow } from '../platform/database/people.ts';
import type { KnownRoute } from './docs/known-routes.ts';

type Read<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

type CallRequest<Call extends HttpCall> = {
  readonly params: Read<Call['params']>;
  readonly query: Read<Call['query']>;
  readonly body: Read<Call['body']>;
  readonly raw: FastifyRequest;
  /** The address that limits count by, and the factor that raises them. */
  readonly client: { readonly address: string; readonly limitScale: number };
  readonly reply: FastifyReply;
};

/** A refusal; a session conflict carries more than an error's context. */
export type CallRefusal = Failure & { readonly conflict?: object };

export type CallHandler<Call extends HttpCall> = {
  (request: CallRequest<Call>): Promise<Result<AnswerOf<Call>, CallRefusal>>;
  /** For the description of the API. */
  readonly needsSession?: true;
};

/** Registers a call of the protocol: validated in both directions, rate limited, with the protocol's error body. */
export function serveCall<Call extends HttpCall>(
  app: FastifyInstance,
  call: Call,
  handle: CallHandler<Call>,
): void {
  app.route({
    method: call.method,
    url: call.path,
    schema: {
      ...(call.params && { params: call.params }),
      ...(call.query && { querystring: call.query }),
      ...(call.body && { body: call.body }),
      response: { 200: call.answer },
    },
    config: {
      rateLimit: { max: call.limit.max * app.rateLimitScale, timeWindow: call.limit.windowMs },
      call,
      needsSession: handle.needsSession ?? false,
    },
    handler: async (request, reply) => {
      const result = await handle({
        params: request.params as Read<Call['params']>,
        query: request.query as Read<Call['query']>,
        body: request.body as Read<Call['body']>,
        raw: request,
        client: { address: app.addressOf(request.raw), limitScale: app.rateLimitScale },
        reply,
      });
      if (result.ok) return reply.send(result.value);
      return sendFailure(reply, result.error);
    },
  });
}

type SignedInHandler<Call extends HttpCall> = (
  user: UserRow,
  request: CallRequest<Call>,
) => ReturnType<CallHandler<Call>>;

/** Requires a sign-in session and passes its user on. */
export function signedIn<Call extends HttpCall>(
  context: Pick<Context, 'db' | 'nowMs'>,
  handle: SignedInHandler<Call>,
  otherwise: 'UNAUTHENTICATED' | 'LOGIN_REQUIRED' = 'UNAUTHENTICATED',
): CallHandler<Call> {
  const handleUser: CallHandler<Call> = async (request) => {
    const token = request.raw.cookies[SESSION_COOKIE];
    const user = token === undefined ? undefined : await findSessionUser(context, token);
    if (!user) return refuse(otherwise);
    request.raw.server.knowAddress(request.client.address);
    return handle(user, request);
  };
  return Object.assign(handleUser, { needsSession: true as const });
}

export function sendFailure(reply: FastifyReply, refusal: CallRefusal): FastifyReply {
  reply.refusalCode = refusal.code;
  const { httpStatus, text } = describeFailure(refusal);
  // A conflict knows more than its code.
  const body = { ...refusal.context, error: refusal.code, message: text, ...refusal.conflict };
  // Serialised here: the schemas of the route describe answers, not error bodies.
  return reply
    .code(httpStatus ?? 500)
    .type('application/json; charset=utf-8')
    .serializer((value: string) => value)
    .send(JSON.stringify(body));
}

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can extend the library's type
  interface FastifyInstance {
    /** Above 1 where many clients share an address, as tests do. */
    rateLimitScale: number;
    addressOf: (request: IncomingMessage) => string;
    /** Requests of signed-in users do not wait for those of strangers. */
    knowAddress: (address: string) => void;
    knownRoutes: readonly KnownRoute[];
  }
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can extend the library's type
  interface FastifyReply {
    /** Why the request was refused. */
    refusalCode: string | undefined;
  }
}
