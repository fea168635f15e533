import { z } from 'zod';
import { PROTOCOL_VERSION } from '../version.ts';
import { JOIN_TICKET_MAX_LENGTH, rowIdSchema } from '../wire-values.ts';

export const ROOM_NAME = 'agar_game';

const shared = {
  lobbyId: rowIdSchema,
  /** Without it, messages go by their names: see plain-messages.ts. */
  protocolVersion: z.literal(PROTOCOL_VERSION).optional(),
  /** Not read: identity comes from the ticket (players) or the session cookie (spectators). */
  playerName: z.string().max(64).nullish(),
  userId: z.string().max(64).nullish(),
  playerId: z.string().max(64).nullish(),
};

export const joinOptionsSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...shared,
    type: z.literal('player'),
    /** A missing ticket is refused like an invalid one. */
    joinTicket: z
      .string()
      .max(JOIN_TICKET_MAX_LENGTH)
      .nullish()
      .transform((ticket) => ticket ?? ''),
  }),
  z.strictObject({
    ...shared,
    type: z.literal('spectator'),
    /** Not read: nobody needs one to watch. */
    joinTicket: z.string().max(JOIN_TICKET_MAX_LENGTH).nullish(),
    /** For semi-private lobbies. */
    lobbyCode: z.string().max(32).optional(),
  }),
]);

export type JoinOptions = z.infer<typeof joinOptionsSchema>;
