import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { and, eq } from 'drizzle-orm';
import { readPlaces } from '../lobbies/lease.ts';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import type { UserRow } from '../platform/database/people.ts';
import { type RejoinAnswer, ticketAnswer } from './entry-answers.ts';
import { issueReturnTicket } from './tickets.ts';

/** A ticket back into the match that the user is in, from a page that was reloaded or another window. */
export async function rejoinMatch(
  context: Pick<Context, 'db' | 'keys' | 'nowMs' | 'presence'>,
  user: UserRow,
): Promise<Result<RejoinAnswer, Failure<'SESSION_ENDED'>>> {
  return context.db.transaction(async (tx) => {
    const [entry] = await tx
      .select()
      .from(entries)
      .where(and(eq(entries.userId, user.id), eq(entries.state, 'playing')))
      .for('update');
    if (!entry) return refuse('SESSION_ENDED');
    const room = await context.presence.read(entry.lobbyId);
    if (room?.expelled?.includes(entry.id)) return refuse('SESSION_ENDED');
    const ticket = ticketAnswer(entry, await issueReturnTicket(context, tx, entry));
    const places = await readPlaces({ db: tx });
    return ok({ ...ticket, baseGame: places.get(entry.lobbyId)?.address ?? null });
  });
}
