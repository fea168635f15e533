import { describeFailure, failure } from '@engulf/domain/errors/registry';
import type { EntryId, LobbyId } from '@engulf/domain/ids/entity-ids';
import { isLobbyOpen } from '@engulf/domain/lobby/opening-hours';
import { and, eq, isNotNull, lte } from 'drizzle-orm';
import { isRoomOpen } from '../lobbies/lease.ts';
import { findLobby, isPaid } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { type EntryRow, entries, lobbies, payments } from '../platform/database/games.ts';
import { payouts } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';
import { advance, lockEntry } from './entry-states.ts';
import { settleEntry } from './settle-entry.ts';
import { PAID_CLAIM_MS } from './tickets.ts';

const TIMED_OUT = {
  code: 'PAYMENT_TIMEOUT',
  message: describeFailure(failure('PAYMENT_TIMEOUT')).text,
} as const;

/** Entries that have timed out: seats nobody paid for, payments nobody could verify, tickets nobody used. */
export async function timedOutEntries({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>): Promise<EntryId[]> {
  const rows = await db
    .select({ id: entries.id })
    .from(entries)
    .where(lte(entries.stateExpiresAt, new Date(nowMs())));
  return rows.map(({ id }) => id);
}

export async function expireEntry(
  context: Pick<Context, 'db' | 'logger' | 'traces' | 'nowMs'>,
  id: EntryId,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, id);
    const isTimedOut = entry?.stateExpiresAt && entry.stateExpiresAt.getTime() <= context.nowMs();
    if (isTimedOut) await expire(context, tx, entry);
  });
}

async function expire(
  context: Pick<Context, 'logger' | 'traces' | 'nowMs'>,
  tx: Database,
  entry: EntryRow,
): Promise<void> {
  switch (entry.state) {
    case 'created':
      await advance(tx, entry, 'expired', {});
      return;
    case 'payment_processing':
      if (isWithinOutage(context, entry) && (await hasUndecidedPayment(tx, entry))) return;
      await advance(tx, entry, 'payment_timeout', { failure: TIMED_OUT });
      return;
    case 'ticketSent':
      if (isWithinOutage(context, entry) && (await waitsForRoom(context, tx, entry))) return;
      await settleEntry(context, tx, {
        entryId: entry.id,
        kind: 'unclaimed',
        amount: undefined,
        massMilli: null,
      });
  }
}

/** After this the player is better off with a refund than waiting for us. */
const MAX_OUTAGE_MS = 3_600_000;

function isWithinOutage({ nowMs }: Pick<Context, 'nowMs'>, { stateExpiresAt }: EntryRow): boolean {
  return nowMs() < stateExpiresAt!.getTime() + MAX_OUTAGE_MS;
}

/** While the chain or the server is unavailable, the player's time does not run out. */
async function hasUndecidedPayment(tx: Database, { id }: EntryRow): Promise<boolean> {
  const isUndecided = and(eq(payments.entryId, id), eq(payments.status, 'verifying'));
  return (await tx.select({ id: payments.id }).from(payments).where(isUndecided)).length > 0;
}

/**
 * A paid seat cannot be taken while its room is not open. When the room opens, its timeout starts over, also if that is
 * not noted yet.
 */
async function waitsForRoom(
  context: Pick<Context, 'nowMs'>,
  tx: Database,
  entry: EntryRow,
): Promise<boolean> {
  const lobby = await findLobby(tx, entry.lobbyId);
  if (!lobby || !isPaid(lobby) || !isLobbyOpen(lobby, context.nowMs())) return false;
  return !(await isRoomOpen({ db: tx }, lobby.id, new Date(context.nowMs() - PAID_CLAIM_MS)));
}

/** The room of a lobby opens: the timeouts of seats that waited for it start over. */
export async function renewSeats(
  context: Pick<Context, 'nowMs'>,
  tx: Database,
  lobbyId: LobbyId,
): Promise<void> {
  const waiting = await tx
    .select({ entry: entries })
    .from(entries)
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .where(
      and(eq(entries.lobbyId, lobbyId), eq(entries.state, 'ticketSent'), isNotNull(lobbies.chainLobbyId)),
    )
    .for('update', { of: entries });
  const stateExpiresAt = new Date(context.nowMs() + PAID_CLAIM_MS);
  for (const { entry } of waiting) {
    const ticket = entry.ticketId === null ? {} : { ticketId: entry.ticketId };
    await advance(tx, entry, 'ticketSent', { stateExpiresAt, ...ticket });
  }
}

/** Unclaimed entries whose refund has arrived. */
export async function refundedEntries({ db }: Pick<Context, 'db'>): Promise<EntryId[]> {
  const rows = await db
    .select({ id: entries.id })
    .from(entries)
    .innerJoin(payouts, eq(payouts.entryId, entries.id))
    .where(and(eq(entries.state, 'refunding'), eq(payouts.status, 'completed')));
  return rows.map(({ id }) => id);
}

export async function closeRefundedEntry({ db }: Pick<Context, 'db'>, id: EntryId): Promise<void> {
  await db.transaction(async (tx) => {
    const entry = await lockEntry(tx, id);
    if (entry?.state === 'refunding') await advance(tx, entry, 'expired', {});
  });
}
