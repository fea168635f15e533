import type {
  EntryId,
  LobbyId,
  TransactionSignature,
  UserId,
  WalletAddress,
} from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { entries, lobbies, payments } from './games.ts';
import { users } from './people.ts';
import { balance, u64 } from './u64.ts';

const at = () => timestamp({ withTimezone: true });

export const ACCOUNT_KINDS = ['pool', 'treasury', 'fees', 'bounty', 'spill', 'payable', 'gift'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/**
 * Balances are credits less debits. `pool` and `treasury` stand for money on the chain and are negative by that
 * amount; the others say whose money it is and never fall below zero.
 */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    id: text().primaryKey(),
    kind: text({ enum: ACCOUNT_KINDS }).notNull(),
    lobbyId: uuid()
      .$type<LobbyId>()
      .notNull()
      .references(() => lobbies.id),
    balance: balance().notNull(),
  },
  (table) => [
    // Accounts of past entries stay and are empty.
    index('ledger_accounts_open').on(table.lobbyId).where(sql`${table.balance} <> 0`),
    check(
      'ledger_accounts_side',
      sql`case when ${table.kind} in ('pool', 'treasury') then ${table.balance} <= 0 else ${table.balance} >= 0 end`,
    ),
  ],
);

/** One row per event: the key names the event, so that a repetition is recognised. */
export const ledgerTransactions = pgTable('ledger_transactions', {
  key: text().primaryKey(),
  lobbyId: uuid()
    .$type<LobbyId>()
    .notNull()
    .references(() => lobbies.id),
  createdAt: at().notNull().defaultNow(),
});

/** Append-only. Each row names both sides, so no row can be out of balance. */
export const ledgerPostings = pgTable(
  'ledger_postings',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    transactionKey: text()
      .notNull()
      .references(() => ledgerTransactions.key),
    debit: text()
      .notNull()
      .references(() => ledgerAccounts.id),
    credit: text()
      .notNull()
      .references(() => ledgerAccounts.id),
    amount: u64().notNull(),
  },
  (table) => [
    index().on(table.transactionKey),
    index().on(table.debit),
    index().on(table.credit),
    check('ledger_postings_amount', sql`${table.amount} > 0`),
    check('ledger_postings_sides', sql`${table.debit} <> ${table.credit}`),
  ],
);

export const PAYOUT_STATUSES = ['pending', 'processing', 'completed'] as const;

/** Money on its way to a wallet: at most one per entry and per unclaimed payment. */
export const payouts = pgTable(
  'payouts',
  {
    id: uuid().primaryKey(),
    lobbyId: uuid()
      .$type<LobbyId>()
      .notNull()
      .references(() => lobbies.id),
    entryId: uuid()
      .$type<EntryId>()
      .unique()
      .references(() => entries.id),
    /** Set if this refunds a payment that gave no seat. */
    paymentId: uuid()
      .unique()
      .references(() => payments.id),
    userId: uuid()
      .$type<UserId>()
      .references(() => users.id),
    wallet: text().$type<WalletAddress>().notNull(),
    amount: u64().notNull(),
    isRefund: boolean().notNull(),
    status: text({ enum: PAYOUT_STATUSES }).notNull(),
    batchId: uuid().references(() => payoutBatches.id),
    failedAttempts: integer().notNull().default(0),
    /** Retry no earlier: the chain refused it, or would do so now. */
    notBefore: at(),
    /** The wallet could not receive it: no token account, or a balance below the rent. Its player is told. */
    waitsForWallet: boolean().notNull().default(false),
    /** Not signed until a person releases it. */
    heldAt: at(),
    holdReason: text(),
    /** A person allowed it in spite of the limits. */
    releasedAt: at(),
    createdAt: at().notNull().defaultNow(),
    completedAt: at(),
  },
  (table) => [
    index().on(table.lobbyId, table.status),
    index().on(table.userId, table.createdAt),
    // Every claim looks for its payouts several times.
    index('payouts_of_batch').on(table.batchId).where(sql`${table.batchId} is not null`),
    check('payouts_amount', sql`${table.amount} > 0`),
    check('payouts_cause', sql`num_nonnulls(${table.entryId}, ${table.paymentId}) = 1`),
  ],
);

export type PayoutRow = typeof payouts.$inferSelect;

/** One claim transaction, stored before it is signed, and with its signature before it is sent. */
export const payoutBatches = pgTable(
  'payout_batches',
  {
    id: uuid().primaryKey(),
    lobbyId: uuid()
      .$type<LobbyId>()
      .notNull()
      .references(() => lobbies.id),
    /** Which claim of the lobby it is, by the chain's counter. Null in a lobby without a counter. */
    number: u64(),
    /** What the signer was asked to sign: the same description gives the same signature, however often it is asked. */
    description: jsonb().$type<unknown>(),
    /** Null until the signer has answered. It may have signed all the same. */
    signature: text().$type<TransactionSignature>().unique(),
    wire: text(),
    lastValidBlockHeight: u64().notNull(),
    /** A slot before it was signed: the history from there on contains it, if it landed. */
    signedAtSlot: u64(),
    /** Where it landed and paid. */
    landedSlot: u64(),
    /** Refused: by the signer, which never signs it. */
    status: text({ enum: ['open', 'finalized', 'failed', 'expired', 'refused'] }).notNull(),
    /** Why it failed on the chain, or why the signer or a node refused it. */
    failureReason: text(),
    createdAt: at().notNull().defaultNow(),
    closedAt: at(),
  },
  (table) => [
    // Even if two workers sign at once, a lobby has one claim in flight.
    uniqueIndex('payout_batches_one_open').on(table.lobbyId).where(sql`${table.status} = 'open'`),
    uniqueIndex('payout_batches_one_per_number')
      .on(table.lobbyId, table.number)
      .where(sql`${table.status} = 'finalized'`),
  ],
);

export type BatchRow = typeof payoutBatches.$inferSelect;

/** What the signer in this server was asked to sign, and what it answered. It gives one answer per batch. */
export const signerLog = pgTable(
  'signer_log',
  {
    batchId: uuid().primaryKey(),
    descriptionHash: text().notNull(),
    /** The lobby's number on the chain, and the token; null for SOL. */
    lobbyId: u64().notNull(),
    /** Null for a claim that is not made in order. */
    number: u64(),
    mint: text(),
    /** What counts against the limits. */
    amount: u64().notNull(),
    payoutIds: text().array().notNull(),
    lastValidBlockHeight: u64().notNull(),
    /** Null if it was signed. */
    refusal: jsonb().$type<unknown>(),
    at: at().notNull(),
  },
  (table) => [index().on(table.at), index().using('gin', table.payoutIds)],
);

/** Token accounts that versions before created for winners. Nothing writes it any more. @internal */
export const grantedTokenAccounts = pgTable(
  'granted_token_accounts',
  {
    wallet: text().$type<WalletAddress>().notNull(),
    mint: text().$type<WalletAddress>().notNull(),
    batchId: uuid()
      .notNull()
      .references(() => payoutBatches.id),
  },
  (table) => [primaryKey({ columns: [table.wallet, table.mint] })],
);

/** What is known of a lobby's pool on the chain. Only money/pool-readings.ts writes it. */
export const lobbyPools = pgTable('lobby_pools', {
  lobbyId: uuid()
    .$type<LobbyId>()
    .primaryKey()
    .references(() => lobbies.id),
  /** The slot of the newest transaction on the pool that has been matched with entries. */
  reconciledSlot: u64(),
  /** A slot at which the books and the pool were equal to the unit: nothing before it is missing. */
  provenSlot: u64(),
  /** SOL lobbies: lamports of the account that are not part of the pool. Read from the chain once. */
  reserveLamports: u64(),
});

/** Transactions on a lobby's pool that have been matched with entries, so that overlapping reads skip them. */
export const reconciledTransactions = pgTable(
  'reconciled_transactions',
  {
    signature: text().$type<TransactionSignature>().notNull(),
    lobbyId: uuid()
      .$type<LobbyId>()
      .notNull()
      .references(() => lobbies.id),
    slot: u64().notNull(),
  },
  (table) => [primaryKey({ columns: [table.lobbyId, table.signature] })],
);

/** Transactions on a lobby's pool that no node can show us, or that we cannot decode. They are retried slowly. */
export const unreadableTransactions = pgTable(
  'unreadable_transactions',
  {
    signature: text().$type<TransactionSignature>().notNull(),
    lobbyId: uuid()
      .$type<LobbyId>()
      .notNull()
      .references(() => lobbies.id),
    slot: u64().notNull(),
    attempts: integer().notNull(),
    reason: text().notNull(),
    firstSeenAt: at().notNull(),
    retryAt: at().notNull(),
  },
  (table) => [primaryKey({ columns: [table.lobbyId, table.signature] })],
);
