import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { lobbies } from './games.ts';
import { users } from './people.ts';

const at = () => timestamp({ withTimezone: true });

/**
 * People who wait in the menu until there are enough for a paid game. One row per account that ever did, because a missed
 * call is remembered. Only gathering/gatherers.ts writes here.
 */
export const gatherers = pgTable(
  'gatherers',
  {
    userId: uuid()
      .$type<UserId>()
      .primaryKey()
      .references(() => users.id),
    lobbyId: uuid()
      .$type<LobbyId>()
      .notNull()
      .references(() => lobbies.id),
    /** `called`: a seat is held until `callEndsAt`. `away`: does not gather. */
    state: text({ enum: ['waiting', 'called', 'away'] }).notNull(),
    /** Keyed hash of the client's address, which it does not reveal. */
    addressHash: text(),
    since: at().notNull(),
    /** When one of the user's menus was last seen open. */
    seenAt: at().notNull(),
    /** The latest call, kept for the room after it is over. */
    callId: uuid(),
    calledAt: at(),
    callEndsAt: at(),
    /** How many were called together. */
    callSize: integer(),
    /** Calls in a row that were not followed by a payment. */
    misses: integer().notNull().default(0),
    /** Until then the user may not gather. */
    barredUntil: at(),
  },
  (table) => [
    index('gatherers_here').on(table.lobbyId).where(sql`${table.state} <> 'away'`),
    index('gatherers_from').on(table.addressHash).where(sql`${table.state} <> 'away'`),
  ],
);

export type GathererRow = typeof gatherers.$inferSelect;
