import type { UserId } from '@engulf/domain/ids/entity-ids';
import { pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from './people.ts';
import { u64 } from './u64.ts';

const at = () => timestamp({ withTimezone: true });

/** What players allow themselves to pay in 24 hours. Only limits/own-limits.ts writes here. */
export const depositLimits = pgTable(
  'deposit_limits',
  {
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    /** A mint, or SOL. */
    currency: text().notNull(),
    /** In base units; null: no limit. */
    amount: u64(),
    /** From `pendingFrom` on it replaces `amount`; null then means no limit. */
    pendingAmount: u64(),
    pendingFrom: at(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.currency] })],
);

/** Breaks: until then the player is kept out of paid lobbies. Only limits/own-limits.ts writes here. */
export const playBreaks = pgTable('play_breaks', {
  userId: uuid()
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id),
  until: at().notNull(),
});
