import type { EntryId, TransactionSignature, UserId } from '@engulf/domain/ids/entity-ids';
import { isUuid } from '@engulf/domain/ids/uuid';
import { desc, eq, inArray, or, sql } from 'drizzle-orm';
import { entries, payments } from '../../platform/database/games.ts';
import { payoutBatches, payouts } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { users } from '../../platform/database/people.ts';
import { entryLink, playerLink, table, timed, toned } from '../sections.ts';
import type { View } from '../view.ts';

const ROWS = 50;
const MIN_LETTERS = 2;

export const playersView: View = {
  title: 'Players',
  least: 'operator',
  read: async ({ db }, _user, { q = '' }) => {
    // The database takes every character but this one.
    const text = q.replaceAll('\0', '').trim();
    const found = text.length < MIN_LETTERS ? undefined : await find(db, text);
    const isAsked = found === undefined ? undefined : inArray(users.id, [...found.keys()]);
    const rows =
      found?.size === 0
        ? []
        : await db.select().from(users).where(isAsked).orderBy(desc(users.createdAt)).limit(ROWS);
    return [
      table(
        found === undefined ? 'Newest players' : `Players for “${text}”`,
        ['player', 'wallet', 'role', 'joined', 'state', 'found by'],
        rows.map(({ id, name, walletAddress, role, createdAt, bannedAt }) => {
          const entryId = found?.get(id);
          return {
            cells: {
              player: playerLink(id, name),
              wallet: walletAddress,
              role: role === 'player' ? null : toned(role, 'good'),
              joined: timed(createdAt),
              state: bannedAt ? toned('banned', 'bad') : toned('ok', 'quiet'),
              'found by': entryId ? entryLink(entryId, 'entry') : null,
            },
          };
        }),
        {
          empty: 'Nobody is found by this name, wallet, entry or signature.',
          note: 'By a part of the name, or a whole wallet, entry, payout or signature of a transaction.',
        },
      ),
    ];
  },
};

/** Who is meant, with the entry by which, if it was one. */
async function find(db: Database, text: string): Promise<Map<UserId, EntryId | undefined>> {
  const found = new Map<UserId, EntryId | undefined>();
  const byEntry = isUuid(text) ? or(eq(entries.id, text as EntryId), eq(payouts.id, text)) : undefined;
  const signature = text as TransactionSignature;
  const rows = await db
    .select({ userId: entries.userId, entryId: entries.id })
    .from(entries)
    .leftJoin(payouts, eq(payouts.entryId, entries.id))
    .leftJoin(payments, eq(payments.entryId, entries.id))
    .leftJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .where(byEntry ?? or(eq(payments.signature, signature), eq(payoutBatches.signature, signature)))
    .limit(ROWS);
  for (const { userId, entryId } of rows) found.set(userId, entryId);
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  const named = await db
    .select({ id: users.id })
    .from(users)
    .where(
      or(
        sql`lower(${users.name}) like ${pattern}`,
        sql`${users.walletAddress} = ${text}`,
        isUuid(text) ? eq(users.id, text as UserId) : undefined,
      ),
    )
    .limit(ROWS);
  for (const { id } of named) if (!found.has(id)) found.set(id, undefined);
  return found;
}
