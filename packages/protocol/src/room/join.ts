import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import { z } from 'zod';
import { PROTOCOL_VERSION } from '../version.ts';
import { JOIN_TICKET_MAX_LENGTH, rowIdSchema } from '../wire-values.ts';

/*
 * The first frame of a socket: it joins a room, or resumes a visit whose line broke. The answer is a `welcome`, or an
 * `error` after which the socket is closed.
 */

export const ROOM_NAME = 'agar_game';

/** In the address of a socket, so that a server can lead it to the process of its room. */
export const LOBBY_PARAMETER = 'lobbyId';

/** The address of a lobby's room on a game server, for a WebSocket. */
export function roomAddress(gameServer: string, lobbyId: string): string {
  const base = gameServer.replace(/^http/, 'ws').replace(/\/$/, '');
  return `${base}/${ROOM_NAME}?${LOBBY_PARAMETER}=${encodeURIComponent(lobbyId)}`;
}

const shared = {
  lobbyId: rowIdSchema.describe('The `id` of the lobby'),
  /** Not read: identity comes from the ticket (players) or the session cookie (spectators). */
  playerName: z.string().max(64).nullish(),
  userId: z.string().max(64).nullish(),
  playerId: z.string().max(64).nullish(),
  /** For spectators of semi-private lobbies. */
  lobbyCode: z.string().max(32).nullish(),
};

/** Fields that we do not know are ignored. */
export const joinOptionsSchema = z.discriminatedUnion('type', [
  z.object({
    ...shared,
    type: z.literal('player'),
    /** A missing ticket is refused like an invalid one. */
    joinTicket: z
      .string()
      .max(JOIN_TICKET_MAX_LENGTH)
      .nullish()
      .transform((ticket) => ticket ?? '')
      .describe('From `join-lobby` or `payment-status`; works once, within a minute'),
  }),
  z.object({
    ...shared,
    type: z.literal('spectator'),
    /** Not read: nobody needs one to watch. */
    joinTicket: z.string().max(JOIN_TICKET_MAX_LENGTH).nullish(),
  }),
]);

export type JoinOptions = z.infer<typeof joinOptionsSchema>;

const RESUME_TOKEN_MAX_LENGTH = 64;

/** Only compact clients have to name a version: what they read changes with it. */
const protocolVersion = z.literal(PROTOCOL_VERSION).optional();

export const FIRST_MESSAGES = {
  join: {
    number: 0,
    payload: z
      .object({ room: z.literal(ROOM_NAME), options: joinOptionsSchema, protocolVersion })
      .describe('Takes the seat of a ticket, or watches.'),
  },
  resume: {
    number: 1,
    payload: z
      .object({ token: z.string().min(1).max(RESUME_TOKEN_MAX_LENGTH), protocolVersion })
      .describe('Comes back after the line broke, with the token of the welcome, while the seat is kept.'),
  },
} as const;

export type FirstMessageType = keyof typeof FIRST_MESSAGES;

/** What a new socket asks for. */
export type Hello =
  | { readonly type: 'join'; readonly options: JoinOptions }
  | { readonly type: 'resume'; readonly token: string };

/**
 * What a first frame asks for. The version comes first: an outdated client should be told to refresh, whatever else it
 * gets wrong.
 */
export function readHello(
  type: string | undefined,
  body: unknown,
  { isCompact }: { readonly isCompact: boolean },
): Result<Hello, Failure<'PROTOCOL_MISMATCH' | 'INVALID_REQUEST'>> {
  const version = (body as { readonly protocolVersion?: unknown } | null | undefined)?.protocolVersion;
  const isOutdated = isCompact
    ? version !== PROTOCOL_VERSION
    : version !== undefined && version !== PROTOCOL_VERSION;
  if (isOutdated) return err(failure('PROTOCOL_MISMATCH'));
  if (type === 'join') {
    const { data } = FIRST_MESSAGES.join.payload.safeParse(body);
    if (data) return ok({ type, options: data.options });
  } else if (type === 'resume') {
    const { data } = FIRST_MESSAGES.resume.payload.safeParse(body);
    if (data) return ok({ type, token: data.token });
  }
  return err(failure('INVALID_REQUEST'));
}
