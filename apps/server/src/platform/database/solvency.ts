import type { LobbyId, WalletAddress } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { lobbies } from './games.ts';
import { balance, u64 } from './u64.ts';

const at = () => timestamp({ withTimezone: true });

/** A pool on the chain and, at the same time, what the books owe out of it. */
const reading = () => ({
  readAt: at().notNull(),
  slot: u64().notNull(),
  pool: balance().notNull(),
  bounties: balance().notNull(),
  spill: balance().notNull(),
  payouts: balance().notNull(),
  /** Not owed to anybody. */
  gifts: balance().notNull(),
  /** To how many wallets it is owed. */
  people: integer().notNull(),
  isCovered: boolean().notNull(),
});

/** The newest reading of each lobby. Only solvency/record-reading.ts writes here and to the history. */
export const solvencyNow = pgTable('solvency_now', {
  lobbyId: uuid()
    .$type<LobbyId>()
    .primaryKey()
    .references(() => lobbies.id),
  /** The account that holds the pool. */
  account: text().$type<WalletAddress>().notNull(),
  ...reading(),
});

/** The first reading of every hour, and every reading that changed whether the pool covers what is owed. Append-only. */
export const solvencyHistory = pgTable(
  'solvency_history',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    lobbyId: uuid()
      .$type<LobbyId>()
      .notNull()
      .references(() => lobbies.id),
    /** The hour that begins with this row; null if it only tells of a change. */
    hour: at(),
    ...reading(),
  },
  (table) => [
    index().on(table.lobbyId, table.readAt),
    uniqueIndex('solvency_history_hourly')
      .on(table.lobbyId, table.hour)
      .where(sql`${table.hour} is not null`),
  ],
);
