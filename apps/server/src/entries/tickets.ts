import { randomUUID } from 'node:crypto';
import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import type { EntryId, LobbyId, MatchId, UserId } from '@engulf/domain/ids/entity-ids';
import { eq, sql } from 'drizzle-orm';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Context } from '../platform/context.ts';
import type { EntryRow } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';
import { prepareOnce } from '../platform/database/prepare-once.ts';
import { advance, lockEntry } from './entry-states.ts';

/*
 * A ticket lets the player of one entry into the room of one lobby. It is a signed token; single use is enforced by
 * `entries.ticketId`, which names the one ticket that is valid.
 */

/** Long enough to join a room, too short to pass the ticket around. */
const TICKET_TTL_MS = 60_000;

/** How long a seat waits for its player; after that a paid one is refunded. */
export const FREE_CLAIM_MS = TICKET_TTL_MS;
export const PAID_CLAIM_MS = 120_000;

/** The ticket that a free entry is opened with. */
export async function firstTicket(
  context: Pick<Context, 'keys' | 'traces' | 'nowMs'>,
  entry: EntryRow,
): Promise<string> {
  const askedAtMs = context.nowMs();
  const ticket = await ticketOf(context, entry);
  context.traces?.step(entry.id, 'issue ticket', askedAtMs, { ticketId: entry.ticketId });
  return ticket;
}

/** Issues a ticket for an entry that has its seat. Earlier tickets are void: only the latest window gets in. */
export async function issueTicket(
  context: Pick<Context, 'keys' | 'traces' | 'nowMs'>,
  tx: Database,
  entry: EntryRow,
): Promise<string> {
  const askedAtMs = context.nowMs();
  const ticketId = randomUUID();
  await advance(tx, entry, 'ticketSent', { ticketId, stateExpiresAt: entry.stateExpiresAt });
  const { userId, lobbyId, id: entryId } = entry;
  const ticket = await sign(context, { ticketId, userId, lobbyId, entryId });
  context.traces?.step(entryId, 'issue ticket', askedAtMs, { ticketId });
  return ticket;
}

/**
 * Issues a ticket back into the body of an entry that is playing, for example after a reload. Its connection replaces
 * that of an older window.
 */
export async function issueReturnTicket(
  context: Pick<Context, 'keys' | 'nowMs'>,
  tx: Database,
  entry: EntryRow,
): Promise<string> {
  const { userId, lobbyId, id: entryId, heldBy, matchId, startedAt } = entry;
  const ticketId = randomUUID();
  await advance(tx, entry, 'playing', { heldBy: heldBy!, matchId, startedAt: startedAt!, ticketId });
  return sign(context, { ticketId, userId, lobbyId, entryId });
}

/** The one valid ticket of an entry that has one, such as one that was given away with a match that moved. */
export function ticketOf(
  context: Pick<Context, 'keys' | 'nowMs'>,
  { ticketId, userId, lobbyId, id: entryId }: EntryRow,
): Promise<string> {
  return sign(context, { ticketId: ticketId!, userId, lobbyId, entryId });
}

type RoomOf = {
  readonly lobbyId: LobbyId;
  readonly matchId: MatchId | undefined;
  /** Whether this process still runs the lobby. */
  readonly isOurs: (tx: Database) => Promise<boolean>;
};

/**
 * Trades a ticket for the right to play. From here on the entry is `playing` and must be settled. `work` reads what
 * the caller needs in the same transaction: an entry that plays without a room to play in would never end. With
 * `isReturn` the entry is in a room of this process already.
 */
export async function redeemTicket<Seat>(
  context: Pick<Context, 'db' | 'keys' | 'logger' | 'traces' | 'processId' | 'nowMs'>,
  ticket: string,
  { lobbyId, matchId, isOurs }: RoomOf,
  work: (tx: Database, entry: EntryRow, isReturn: boolean) => Promise<Seat>,
): Promise<Result<Seat, Failure<'JOIN_TICKET_INVALID' | 'USER_BANNED' | 'LOBBY_OFFLINE'>>> {
  const askedAtMs = context.nowMs();
  const claims = await verify(context, ticket);
  if (!claims || claims.lobbyId !== lobbyId) return refuse('JOIN_TICKET_INVALID');
  return context.db.transaction(async (tx) => {
    if (!(await isOurs(tx))) return refuse('LOBBY_OFFLINE');
    const entry = await lockEntry(tx, claims.entryId);
    if (entry?.ticketId !== claims.ticketId) return refuse('JOIN_TICKET_INVALID');
    // A body can only be entered through the process that runs its room.
    const isReturn = entry.state === 'playing' && entry.heldBy === context.processId;
    if (!isReturn && entry.state !== 'ticketSent') return refuse('JOIN_TICKET_INVALID');
    if (isReturn && entry.matchId !== (matchId ?? null)) return refuse('JOIN_TICKET_INVALID');
    // A seat that is not taken is refunded, if it was paid for.
    if (await isBanned(tx, entry.userId)) return refuse('USER_BANNED');
    const startedAt = isReturn ? entry.startedAt! : new Date(context.nowMs());
    const playedIn = isReturn ? entry.matchId : (matchId ?? null);
    const holding = { heldBy: context.processId, matchId: playedIn, startedAt };
    const playing = await advance(tx, entry, 'playing', holding);
    context.logger.info({ entryId: entry.id, lobbyId, matchId: playedIn, isReturn }, 'entry plays');
    const seat = await work(tx, playing, isReturn);
    context.traces?.step(entry.id, 'enter room', askedAtMs, { matchId: playedIn, isReturn });
    return ok(seat);
  });
}

async function isBanned(tx: Database, userId: UserId): Promise<boolean> {
  const [user] = await findingBan(tx).execute({ userId });
  return user?.bannedAt != null;
}

const findingBan = prepareOnce((db) =>
  db
    .select({ bannedAt: users.bannedAt })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId'))),
);

type TicketClaims = {
  readonly ticketId: string;
  readonly userId: UserId;
  readonly lobbyId: LobbyId;
  readonly entryId: EntryId;
};

const ISSUER = 'engulf';
const AUDIENCE = 'agar_game';
const ALGORITHM = 'HS256';

function sign(
  context: Pick<Context, 'keys' | 'nowMs'>,
  { ticketId, userId, lobbyId, entryId }: TicketClaims,
): Promise<string> {
  const nowMs = context.nowMs();
  return new SignJWT({ lobbyId, entryId })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(userId)
    .setJti(ticketId)
    .setIssuedAt(Math.floor(nowMs / 1000))
    .setExpirationTime(Math.floor((nowMs + TICKET_TTL_MS) / 1000))
    .sign(context.keys.tickets);
}

/** Undefined for a ticket that is forged, damaged or too old. */
async function verify(
  context: Pick<Context, 'keys' | 'nowMs'>,
  ticket: string,
): Promise<TicketClaims | undefined> {
  try {
    const { payload } = await jwtVerify(ticket, context.keys.tickets, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      currentDate: new Date(context.nowMs()),
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
}

const payloadSchema = z.object({
  jti: z.string(),
  sub: z.string(),
  lobbyId: z.string(),
  entryId: z.string(),
});
