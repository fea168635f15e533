import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { baseUnits } from '@engulf/domain/money/amount';
import { and, eq } from 'drizzle-orm';
import type { Seat } from '../game/ports.ts';
import { findLobby, toGameLobby } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';
import type { EntryRow } from './entry-answers.ts';

/** Turns a ticket into a seat. The one update that finds the ticket still good decides between two who try. */
export async function redeemTicket(
  context: Context,
  ticket: string,
  lobbyId: LobbyId,
): Promise<Result<Seat, Failure<'JOIN_TICKET_INVALID'>>> {
  const nowMs = context.nowMs();
  const claims = await context.tickets.verify(ticket, nowMs);
  if (!claims || claims.lobbyId !== lobbyId) return refuse('JOIN_TICKET_INVALID');
  // All or nothing: an entry that plays without a room to play in would never end.
  return context.db.transaction(async (tx) => {
    const [entry] = await tx
      .update(entries)
      .set({
        state: 'playing',
        ticketId: null,
        stateExpiresAt: null,
        heldBy: context.processId,
        startedAt: new Date(nowMs),
      })
      .where(
        and(
          eq(entries.id, claims.entryId),
          eq(entries.ticketId, claims.ticketId),
          eq(entries.state, 'ticketSent'),
        ),
      )
      .returning();
    return entry ? ok(await seatOf(tx, entry)) : refuse('JOIN_TICKET_INVALID');
  });
}

async function seatOf(tx: Database, entry: EntryRow): Promise<Seat> {
  const [user] = await tx.select().from(users).where(eq(users.id, entry.userId));
  const lobby = toGameLobby((await findLobby(tx, entry.lobbyId))!);
  return {
    entryId: entry.id,
    userId: entry.userId,
    name: user!.name,
    avatarUrl: user!.avatarUrl,
    isAdmin: user!.role === 'admin',
    lobby,
    stake: baseUnits(entry.stake),
    isFree: lobby.isFree,
  };
}
