import { eq } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { newTicketId, TICKET_TTL_MS } from '../platform/tickets.ts';
import type { EntryRow } from './entry-answers.ts';

/** How long a seat waits for its player once a ticket can be had; a paid one, after that, is refunded. */
export const FREE_CLAIM_MS = TICKET_TTL_MS;
export const PAID_CLAIM_MS = 120_000;

/**
 * A ticket for an entry that has its seat. The one before it is void: of several windows only the last to ask
 * gets in.
 */
export async function issueTicket(context: Context, tx: Database, entry: EntryRow): Promise<string> {
  const ticketId = newTicketId();
  const nowMs = context.nowMs();
  await tx.update(entries).set({ ticketId }).where(eq(entries.id, entry.id));
  const { userId, lobbyId, id: entryId } = entry;
  return context.tickets.sign({ ticketId, userId, lobbyId, entryId }, nowMs);
}
