import { z } from 'zod';
import { PROTOCOL_VERSION } from '../version.ts';
import { joinTicketSchema, rowIdSchema } from '../wire-values.ts';

export const ROOM_NAME = 'agar_game';

const shared = {
  lobbyId: rowIdSchema,
  protocolVersion: z.literal(PROTOCOL_VERSION),
  /** For logs only: identity comes from the ticket (players) or the session cookie (spectators). */
  playerName: z.string().max(64).optional(),
  userId: rowIdSchema.optional(),
  playerId: z.string().max(64).optional(),
};

export const joinOptionsSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...shared, type: z.literal('player'), joinTicket: joinTicketSchema }),
  z.strictObject({
    ...shared,
    type: z.literal('spectator'),
    /** For semi-private lobbies. */
    lobbyCode: z.string().max(32).optional(),
  }),
]);

export type JoinOptions = z.infer<typeof joinOptionsSchema>;
