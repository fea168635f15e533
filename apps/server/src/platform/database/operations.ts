import type { TransactionSignature, WalletAddress } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import { bigserial, index, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
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
  },
  (table) => [index().on(table.subject), index().on(table.at)],
);

/** What operators change while the servers run. A missing row means the default. */
export const switches = pgTable('switches', {
  name: text().primaryKey(),
  value: jsonb().$type<unknown>().notNull(),
  changedAt: at().notNull(),
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
