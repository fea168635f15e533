import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import type { UserRow } from '../platform/database/people.ts';
import { type TicketAnswer, ticketAnswer } from './entry-answers.ts';
import { issueReturnTicket } from './tickets.ts';

/** A ticket back into the match that the user is in, from a page that was reloaded or another window. */
export async function rejoinMatch(
  context: Context,
  user: UserRow,
): Promise<Result<TicketAnswer, Failure<'SESSION_ENDED'>>> {
  return context.db.transaction(async (tx) => {
    const [entry] = await tx
      .select()
      .from(entries)
      .where(and(eq(entries.userId, user.id), eq(entries.state, 'playing')))
      .for('update');
    if (!entry) return refuse('SESSION_ENDED');
    return ok(ticketAnswer(entry, await issueReturnTicket(context, tx, entry)));
  });
}
