import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describeFailure, type Failure, failure } from '@engulf/domain/errors/registry';
import { err, type Result } from '@engulf/domain/errors/result';
import { joinOptionsSchema, ROOM_NAME } from '@engulf/protocol/room/join-options';
import { hasKnownProtocol } from '@engulf/protocol/version';
import { ENTRANCE_LIMITS } from '../limits.ts';
import type { SeatReservation } from '../ports.ts';
import type { Entrance } from './entrance.ts';
import { lingerAfterRefusal, readBody } from './read-body.ts';

/*
 * Reserving a seat over HTTP, in the form in which Colyseus' client asks for it. Colyseus itself sees only requests
 * that are small, valid and for a lobby with a room. Its other methods are not offered: rooms are created by the
 * server alone, and clients reconnect on the socket.
 */

const PREFIX = '/matchmake';
/** There is nothing to create, so both mean the same. */
const JOIN_PATHS = [`${PREFIX}/joinOrCreate/${ROOM_NAME}`, `${PREFIX}/join/${ROOM_NAME}`];

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const;

const BODY_LIMITS = {
  maxBytes: ENTRANCE_LIMITS.maxRequestBytes,
  withinMs: ENTRANCE_LIMITS.requestWithinMs,
} as const;
const LINGER_LIMITS = { maxBytes: 64 * 1024, withinMs: 500 } as const;

/** Answers matchmaking requests and passes all others on. */
export function matchmakingOr(application: RequestListener, entrance: Entrance): RequestListener {
  return (request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== PREFIX && !path?.startsWith(`${PREFIX}/`)) {
      application(request, response);
      return;
    }
    answer(entrance, path, request, response).catch((error: unknown) => {
      entrance.log('error', 'matchmaking', { code: 'MATCHMAKING_FAILED', err: error }, 'matchmaking failed');
      if (response.headersSent) response.destroy();
      else response.writeHead(500, JSON_TYPE).end(JSON.stringify({ error: 'INTERNAL_ERROR' }));
    });
  };
}

async function answer(
  entrance: Entrance,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'OPTIONS' && !entrance.isForeign(request)) {
    response.writeHead(204, corsHeaders(request)).end();
    return;
  }
  const reserved = await reserve(entrance, path, request);
  if (reserved.ok) {
    response.writeHead(200, answerHeaders(entrance, request)).end(JSON.stringify(reserved.value));
    return;
  }
  const { code } = reserved.error;
  entrance.meter?.refused('join', code);
  const body = JSON.stringify({ error: code });
  const headers = { ...answerHeaders(entrance, request), 'content-length': body.length };
  const status = describeFailure(reserved.error).httpStatus ?? 500;
  if (request.readableEnded) {
    response.writeHead(status, headers).end(body);
    return;
  }
  response.writeHead(status, { ...headers, connection: 'close' }).write(body);
  await lingerAfterRefusal(request, LINGER_LIMITS, entrance.clock);
  response.end();
}

async function reserve(
  entrance: Entrance,
  path: string,
  request: IncomingMessage,
): Promise<Result<SeatReservation, Failure>> {
  if (entrance.isForeign(request)) return err(failure('FORBIDDEN'));
  if (!entrance.takeRequest(request)) return err(failure('RATE_LIMITED'));
  if (request.method !== 'POST' || !JOIN_PATHS.includes(path)) return err(failure('NOT_FOUND'));
  const body = await readBody(request, BODY_LIMITS, entrance.clock);
  if (!body.ok) return body;
  const wanted = parseJson(body.value);
  if (wanted === undefined) return err(failure('INVALID_REQUEST'));
  if (!hasKnownProtocol(wanted)) return err(failure('PROTOCOL_MISMATCH'));
  const options = joinOptionsSchema.safeParse(wanted);
  if (!options.success) return err(failure('INVALID_REQUEST'));
  return entrance.game?.reserveSeat(options.data) ?? err(failure('LOBBY_OFFLINE'));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answerHeaders(entrance: Entrance, request: IncomingMessage) {
  return {
    ...JSON_TYPE,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(!entrance.isForeign(request) && corsHeaders(request)),
  };
}

/** A lobby's game server may have another name than the page. */
function corsHeaders({ headers: { origin } }: IncomingMessage): Record<string, string> {
  if (origin === undefined) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'Content-Type, Accept',
    vary: 'Origin',
  };
}
