import { randomUUID } from 'node:crypto';
import type { EntryId, LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** Long enough to open a room, too short to be passed around. */
export const TICKET_TTL_MS = 60_000;

export type TicketClaims = {
  readonly ticketId: string;
  readonly userId: UserId;
  readonly lobbyId: LobbyId;
  readonly entryId: EntryId;
};

export type Tickets = {
  sign(claims: TicketClaims, nowMs: number): Promise<string>;
  /** Undefined for a ticket that is forged, damaged or too old. That it is used once, the entry's row sees to. */
  verify(ticket: string, nowMs: number): Promise<TicketClaims | undefined>;
};

const ISSUER = 'engulf';
const AUDIENCE = 'agar_game';
const ALGORITHM = 'HS256';

export function createTickets(secret: string): Tickets {
  const key = new TextEncoder().encode(secret);
  return {
    sign: ({ ticketId, userId, lobbyId, entryId }, nowMs) =>
      new SignJWT({ lobbyId, entryId })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setJti(ticketId)
        .setIssuedAt(Math.floor(nowMs / 1000))
        .setExpirationTime(Math.floor((nowMs + TICKET_TTL_MS) / 1000))
        .sign(key),
    verify: async (ticket, nowMs) => {
      try {
        const { payload } = await jwtVerify(ticket, key, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: AUDIENCE,
          currentDate: new Date(nowMs),
        });
        const { jti, sub, lobbyId, entryId } = payloadSchema.parse(payload);
        return {
          ticketId: jti,
          userId: sub as UserId,
          lobbyId: lobbyId as LobbyId,
          entryId: entryId as EntryId,
        };
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof z.ZodError) return undefined;
        throw error;
      }
    },
  };
}

export const newTicketId = (): string => randomUUID();

const payloadSchema = z.object({
  jti: z.string(),
  sub: z.string(),
  lobbyId: z.string(),
  entryId: z.string(),
});
