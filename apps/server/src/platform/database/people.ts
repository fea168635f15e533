import type { SignInSessionId, UserId, WalletAddress } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

/** Each may do what those before it may. */
export const USER_ROLES = ['player', 'operator', 'admin'] as const;
export type UserRole = (typeof USER_ROLES)[number];

export const users = pgTable(
  'users',
  {
    id: uuid().$type<UserId>().primaryKey(),
    walletAddress: text().$type<WalletAddress>().notNull().unique(),
    name: text().notNull(),
    avatarUrl: text(),
    /** Of the cell, as a number of the palette; null: by the id. */
    colour: integer(),
    role: text({ enum: USER_ROLES }).notNull().default('player'),
    /** The access code that the user entered. */
    referralCode: text().references(() => referralCodes.code),
    isRaffleWinner: boolean().notNull().default(false),
    /** The airdrop multiplier in hundredths. */
    multiplierHundredths: integer().notNull().default(100),
    /** Set for a banned user. What is owed to the wallet is still paid. */
    bannedAt: timestamp({ withTimezone: true }),
    banReason: text(),
    /** When the user saw the guide; null: it opens by itself. */
    guidedAt: timestamp({ withTimezone: true }),
    createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('users_name_unique').on(sql`lower(${table.name})`)],
);

export type UserRow = typeof users.$inferSelect;

export const referralCodes = pgTable('referral_codes', {
  code: text().primaryKey(),
  /** Null: unlimited. */
  maxUses: integer(),
  uses: integer().notNull().default(0),
  /** Null: never. */
  expiresAt: timestamp({ withTimezone: true }),
  createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});

/** What a wallet was asked to sign. Single use. */
export const signInNonces = pgTable('sign_in_nonces', {
  nonce: text().primaryKey(),
  input: jsonb().$type<SignInInput>().notNull(),
  expiresAt: timestamp({ withTimezone: true }).notNull(),
});

export type SignInInput = {
  readonly domain: string;
  readonly uri: string;
  readonly version: '1';
  readonly chainId: string;
  readonly nonce: string;
  readonly issuedAt: string;
  readonly expirationTime: string;
  readonly statement: string;
};

/** Only the token's hash is stored: reading this table does not let anyone sign in. */
export const signInSessions = pgTable(
  'sign_in_sessions',
  {
    tokenHash: text().primaryKey(),
    id: uuid().$type<SignInSessionId>().notNull().unique(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);
