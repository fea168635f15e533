import type { UserId, WalletAddress } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from './people.ts';

const at = () => timestamp({ withTimezone: true });
const userId = () =>
  uuid()
    .$type<UserId>()
    .references(() => users.id);

export const tasks = pgTable('tasks', {
  id: uuid().primaryKey(),
  /** connect, like, retweet, follow, join, or any other word for a link to visit. */
  action: text().notNull(),
  name: text().notNull(),
  description: text().notNull().default(''),
  url: text(),
  tweetId: text(),
  tgUrl: text(),
  sortOrder: integer().notNull().default(0),
  isActive: boolean().notNull().default(true),
});

export type TaskRow = typeof tasks.$inferSelect;

const taskId = () =>
  uuid()
    .notNull()
    .references(() => tasks.id);

/** What a user reported as done. A refused one may be reported again. */
export const taskCompletions = pgTable(
  'task_completions',
  {
    userId: userId().notNull(),
    taskId: taskId(),
    state: text({ enum: ['queued', 'verified', 'refused'] }).notNull(),
    queuedAt: at().notNull(),
    /** How often it was checked since it was queued. */
    checks: integer().notNull().default(0),
    nextCheckAt: at().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.taskId] }),
    index().on(table.nextCheckAt).where(sql`${table.state} = 'queued'`),
  ],
);

/** Links of tasks that a user followed through our redirect. */
export const taskVisits = pgTable(
  'task_visits',
  { userId: userId().notNull(), taskId: taskId(), visitedAt: at().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.taskId] })],
);

/** One X account for a user, and one user for an X account. */
export const xAccounts = pgTable('x_accounts', {
  userId: userId().primaryKey(),
  xId: text().notNull().unique(),
  handle: text().notNull(),
  connectedAt: at().notNull(),
});

/** Sign-ins at X that have begun. Single use, and only for the session that began them. */
export const xLogins = pgTable(
  'x_logins',
  {
    state: text().primaryKey(),
    /** The hash of the session's token. */
    sessionKey: text().notNull(),
    codeVerifier: text().notNull(),
    redirectUri: text().notNull(),
    expiresAt: at().notNull(),
  },
  (table) => [index().on(table.expiresAt)],
);

/** One Telegram account for a user, and one user for an account. */
export const telegramAccounts = pgTable('telegram_accounts', {
  userId: userId().primaryKey(),
  telegramId: text().notNull().unique(),
  connectedAt: at().notNull(),
});

/** How far the messages to the bot have been read. One row. */
export const telegramInbox = pgTable('telegram_inbox', {
  id: integer().primaryKey(),
  lastUpdateId: bigint({ mode: 'bigint' }).notNull(),
});

export const raffleDays = pgTable('raffle_days', {
  day: date({ mode: 'string' }).primaryKey(),
  /** No entry is accepted from here on. */
  closedAt: at(),
  winnersPerDay: integer(),
  /** The first block from here on decides. Null in days that were closed before there was a margin: then from midnight on. */
  blockFrom: at(),
  drawnAt: at(),
  slot: bigint({ mode: 'bigint' }),
  blockhash: text(),
});

export const raffleEntries = pgTable(
  'raffle_entries',
  {
    day: date({ mode: 'string' })
      .notNull()
      .references(() => raffleDays.day),
    userId: userId().notNull(),
    walletAddress: text().$type<WalletAddress>().notNull(),
    enteredAt: at().notNull(),
    /** Null until the draw. */
    result: text({ enum: ['won', 'lost'] }),
    seenAt: at(),
  },
  (table) => [primaryKey({ columns: [table.day, table.userId] }), index().on(table.userId)],
);
