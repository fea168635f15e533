import type { TransactionSignature, UserId, WalletAddress } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from './people.ts';
import { u64 } from './u64.ts';

const at = () => timestamp({ withTimezone: true });

/** Every change made by an operator or an admin. Append-only. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    at: at().notNull(),
    /** An operator's name at the machine, or an admin's user id. */
    actor: text().notNull(),
    /** In words of the command: `lobby price`, `chat kick`. */
    action: text().notNull(),
    /** What it was done to. */
    subject: text().notNull(),
    reason: text().notNull(),
    details: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    /** What the wallet of the actor signed for it, and the signature in base 64. Null for the operator's tool. */
    signedText: text(),
    signature: text(),
  },
  (table) => [index().on(table.subject), index().on(table.at)],
);

/** What operators change while the servers run. A missing row means the default. */
export const switches = pgTable('switches', {
  name: text().primaryKey(),
  value: jsonb().$type<unknown>().notNull(),
  changedAt: at().notNull(),
});

/** Changes that the console has shown and waits to see signed. Single use, short-lived. */
export const consoleRequests = pgTable(
  'console_requests',
  {
    nonce: text().primaryKey(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    /** The command with its arguments and the reason. */
    asked: jsonb().$type<unknown>().notNull(),
    /** What the dry run said. */
    lines: jsonb().$type<readonly string[]>().notNull(),
    /** What the wallet is asked to sign. */
    text: text().notNull(),
    expiresAt: at().notNull(),
  },
  (table) => [index().on(table.expiresAt)],
);

/** What the console's charts are drawn from: a row a minute, for a while. Only console/minutes.ts writes it. */
export const consoleMinutes = pgTable('console_minutes', {
  at: at().primaryKey(),
  players: integer().notNull(),
  /** Of the slowest game process; null while no match runs. */
  slowTickMs: doublePrecision(),
  /** Stakes into the pools and payouts out of them, in lamports; tokens are not counted. */
  lamportsIn: u64().notNull(),
  lamportsOut: u64().notNull(),
  /** How long the payouts of this minute took, on average; null without one. */
  payoutMs: doublePrecision(),
  /** Up to where the ledger is counted. */
  lastPosting: bigint({ mode: 'bigint' }).notNull(),
});

/** Transactions that operators signed with the key of the super admin, stored before they are sent. */
export const operatorTransactions = pgTable(
  'operator_transactions',
  {
    signature: text().$type<TransactionSignature>().primaryKey(),
    /** What it changes: `platform`, or a lobby's id. */
    subject: text().notNull(),
    wire: text().notNull(),
    lastValidBlockHeight: u64().notNull(),
    status: text({ enum: ['open', 'finalized', 'failed', 'expired'] }).notNull(),
    failureReason: text(),
    createdAt: at().notNull(),
    closedAt: at(),
  },
  (table) => [
    // A second transaction for the same subject could land later and undo it.
    uniqueIndex('operator_transactions_one_open').on(table.subject).where(sql`${table.status} = 'open'`),
  ],
);

/** The key that is to become super admin, until it accepts. At most one. */
export const superAdminProposals = pgTable('super_admin_proposals', {
  newSuperAdmin: text().$type<WalletAddress>().primaryKey(),
  proposedBy: text().notNull(),
  proposedAt: at().notNull(),
  expiresAt: at().notNull(),
});
