import type { EntryId, UserId } from '@engulf/domain/ids/entity-ids';
import { boolean, date, index, integer, pgTable, primaryKey, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from './people.ts';
import { u64 } from './u64.ts';

/*
 * Sums over entries, kept up to date by stats/rollups.ts in the transaction that ends an entry, so that no request
 * has to add up all games ever played. All count SOL lobbies only.
 */

export const playerTotals = pgTable(
  'player_totals',
  {
    userId: uuid()
      .$type<UserId>()
      .primaryKey()
      .references(() => users.id),
    games: integer().notNull(),
    /** Cash-outs above the entry fee. */
    wins: integer().notNull(),
    winStreak: integer().notNull(),
    deposited: u64().notNull(),
    winnings: u64().notNull(),
    biggestWin: u64().notNull(),
  },
  (table) => [index('player_totals_rank').on(table.winnings)],
);

/** The best of a user's lives, in free lobbies and for money apart. Only stats/records.ts writes it. */
export const playRecords = pgTable(
  'play_records',
  {
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    isFree: boolean().notNull(),
    lives: integer().notNull(),
    bestMassMilli: integer().notNull(),
    longestLifeSeconds: integer().notNull(),
    /** In hundredths. */
    bestMultiple: integer().notNull(),
    kills: integer().notNull(),
    /** The most kills in one life. */
    bestStreak: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.isFree] })],
);

/** How far a user came with the goal of a day in free lobbies. Only stats/daily-goals.ts writes it. */
export const dailyGoals = pgTable(
  'daily_goals',
  {
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    /** In UTC. */
    day: date().notNull(),
    progress: integer().notNull(),
    isReached: boolean().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day] })],
);

/** What each user cashed out in the last days. */
export const periodWinnings = pgTable(
  'period_winnings',
  {
    days: integer().notNull(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    amount: u64().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.days, table.userId] }),
    index('period_winnings_best').on(table.days, table.amount, table.userId),
  ],
);

/** The newest entry that has left the period. */
export const periodCursors = pgTable('period_cursors', {
  days: integer().primaryKey(),
  endedAt: timestamp({ withTimezone: true }).notNull(),
  entryId: uuid().$type<EntryId>().notNull(),
});
