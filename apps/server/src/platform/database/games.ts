import type { ErrorCode } from '@engulf/domain/errors/registry';
import type {
  ChainLobbyId,
  EntryId,
  LobbyId,
  MatchId,
  PaymentSessionId,
  TransactionSignature,
  UserId,
  WalletAddress,
} from '@engulf/domain/ids/entity-ids';
import { LOBBY_TYPES } from '@engulf/domain/lobby/lobby-type';
import type { OpenWindow } from '@engulf/domain/lobby/open-window';
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  doublePrecision,
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
import { users } from './people.ts';
import { u64, usd } from './u64.ts';

const at = () => timestamp({ withTimezone: true });

/** A lobby is `ready` between its creation and its removal, both of which can be interrupted. */
const LOBBY_STAGES = ['creating', 'ready', 'removing', 'removed'] as const;

export const lobbies = pgTable(
  'lobbies',
  {
    id: uuid().$type<LobbyId>().primaryKey(),
    /** Null for a free lobby, which is not on the chain. Never used again, not even after a removal. */
    chainLobbyId: u64().$type<ChainLobbyId>().unique(),
    name: text().notNull(),
    stage: text({ enum: LOBBY_STAGES }).notNull().default('ready'),
    lobbyType: text({ enum: LOBBY_TYPES }).notNull(),
    tokenSymbol: text().notNull(),
    tokenDecimals: integer().notNull(),
    /** Null for SOL. */
    tokenMint: text().$type<WalletAddress>(),
    entryFee: u64().notNull(),
    /** A price change under way: nobody is asked to pay until chain and row agree. */
    nextEntryFee: u64(),
    /** The chain counts its claims, and pays one per number. True for good once it is. */
    claimsInOrder: boolean().notNull().default(false),
    /** Free lobbies: the notional price of an entry, in micro-dollars. */
    freeLobbyEntryUsd: u64(),
    maxPlayers: integer().notNull(),
    botCount: integer().notNull().default(0),
    /** Null: no limit. */
    maxEntriesPerUser: integer(),
    isLocked: boolean().notNull().default(false),
    /** The lobby closes at this time, announced ahead, and stays closed. */
    drainsAtMs: bigint({ mode: 'number' }),
    dailyOpenWindows: jsonb().$type<OpenWindow[]>(),
    /** In capitals. */
    lobbyCode: text(),
    /** Of the processes that may run it; null for any. */
    region: text(),
    /** How many people make a game: those who gather are called once so many are there. */
    gatherSize: integer().notNull().default(2),
    sortOrder: integer().notNull(),
  },
  (table) => [uniqueIndex('lobbies_name_unique').on(table.name).where(sql`${table.stage} <> 'removed'`)],
);

/**
 * The life of an entry. `next` holds every transition there is, a state that renews itself included; an entry that
 * is live holds a seat, and its user may not open another. Only entries/entry-states.ts writes the state.
 */
export const ENTRY_STATES = {
  created: { isLive: true, next: ['payment_processing', 'ticketSent', 'payment_failed', 'expired'] },
  payment_processing: {
    isLive: true,
    next: ['payment_processing', 'ticketSent', 'payment_failed', 'payment_timeout', 'expired'],
  },
  ticketSent: { isLive: true, next: ['ticketSent', 'playing', 'refunding', 'expired'] },
  playing: { isLive: true, next: ['playing', 'ended'] },
  refunding: { isLive: false, next: ['expired'] },
  ended: { isLive: false, next: [] },
  // A payment that is found after the seat was given up brings it back, if there is still one.
  payment_timeout: { isLive: false, next: ['ticketSent'] },
  payment_failed: { isLive: false, next: ['ticketSent'] },
  expired: { isLive: false, next: ['ticketSent'] },
} as const;
export type EntryState = keyof typeof ENTRY_STATES;

const STATE_NAMES = Object.keys(ENTRY_STATES) as [EntryState, ...EntryState[]];
export const LIVE_STATES = STATE_NAMES.filter((state) => ENTRY_STATES[state].isLive);
/** A seat is held and its payment is not decided. */
export const WAITING_STATES: EntryState[] = ['created', 'payment_processing'];
/** The seat is gone. A payment that is found later may bring it back. */
export const GIVEN_UP_STATES: EntryState[] = ['expired', 'payment_failed', 'payment_timeout'];
const listStates = (states: readonly EntryState[]) => sql.raw(states.map((state) => `'${state}'`).join(', '));

export const OUTCOMES = ['cashout', 'killed', 'forfeit', 'closed', 'fault', 'unclaimed'] as const;

export const entries = pgTable(
  'entries',
  {
    id: uuid().$type<EntryId>().primaryKey(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    lobbyId: uuid()
      .$type<LobbyId>()
      .notNull()
      .references(() => lobbies.id),
    state: text({ enum: STATE_NAMES }).notNull(),
    paymentSessionId: uuid().$type<PaymentSessionId>().notNull().unique(),
    /** The price asked, and the part of it that reached the pool. Notional in a free lobby. */
    entryFee: u64().notNull(),
    stake: u64().notNull().default(sql`0`),
    /** Keyed hash of the client's address, which it does not reveal. */
    addressHash: text(),
    /** Keyed hash of the browser's family, system and language. */
    traitsHash: text(),
    /** When the seat was taken; if a late payment brought it back, when that was. */
    createdAt: at().notNull().defaultNow(),
    /** When the current state times out; null if it does not. */
    stateExpiresAt: at(),
    /** The one valid ticket; null once it is redeemed. */
    ticketId: text(),
    /** The process whose room runs the match. */
    heldBy: text(),
    /** Set when the player first enters the room. */
    matchId: uuid()
      .$type<MatchId>()
      .references((): AnyPgColumn => matches.id),
    startedAt: at(),
    endedAt: at(),
    outcome: text({ enum: OUTCOMES }),
    /** What the ledger granted when the entry ended. */
    payoutAmount: u64(),
    /** What it was worth then, in micro-dollars; null if no price was known. Notional in a free lobby. */
    usdValue: usd(),
    finalMassMilli: integer(),
    failure: jsonb().$type<{ code: ErrorCode; message: string }>(),
  },
  (table) => [
    uniqueIndex('entries_one_live_per_user')
      .on(table.userId)
      .where(sql`${table.state} in (${listStates(LIVE_STATES)})`),
    // Of those that are over there are ever more.
    index('entries_live_of_lobby')
      .on(table.lobbyId, table.state)
      .where(sql`${table.state} in (${listStates(LIVE_STATES)})`),
    index().on(table.userId, table.createdAt),
    index('entries_of_address')
      .on(table.addressHash, table.createdAt)
      .where(sql`${table.addressHash} is not null`),
    index('entries_ended_all').on(table.endedAt, table.id).where(sql`${table.state} = 'ended'`),
    index('entries_free_of_user')
      .on(table.userId, table.endedAt)
      .where(sql`${table.state} = 'ended' and ${table.entryFee} = 0`),
    index('entries_cashed_out').on(table.endedAt, table.id).where(sql`${table.outcome} = 'cashout'`),
    // What the worker looks for all the time.
    index('entries_timed').on(table.stateExpiresAt).where(sql`${table.stateExpiresAt} is not null`),
    index('entries_playing').on(table.heldBy).where(sql`${table.state} = 'playing'`),
    index('entries_of_match').on(table.matchId).where(sql`${table.matchId} is not null`),
    index('entries_refunding').on(table.id).where(sql`${table.state} = 'refunding'`),
  ],
);

export type EntryRow = typeof entries.$inferSelect;

/** The states are written out, so that a plan that is kept knows how many there are, and which index has them. */
export const isIn = (states: readonly EntryState[]) => sql`${entries.state} in (${listStates(states)})`;
export const IS_LIVE = isIn(LIVE_STATES);

/** A join transaction on the chain, or a signature that claims to be one. */
export const payments = pgTable(
  'payments',
  {
    id: uuid().primaryKey(),
    signature: text().$type<TransactionSignature>().notNull(),
    lobbyId: uuid()
      .$type<LobbyId>()
      .notNull()
      .references(() => lobbies.id),
    wallet: text().$type<WalletAddress>().notNull(),
    /** One transaction can pay several times for the same wallet and lobby. */
    nth: integer().notNull().default(0),
    /** Null if no entry was waiting for it. */
    entryId: uuid()
      .$type<EntryId>()
      .references(() => entries.id),
    status: text({ enum: ['verifying', 'verified', 'refused'] }).notNull(),
    /** Null until a node has been asked. */
    heardAtBlockHeight: u64(),
    slot: u64(),
    platformFee: u64(),
    stake: u64(),
    /** What the player signs its inputs with, in hexadecimal, if the transaction names a key. */
    inputsKey: text(),
    failureCode: text().$type<ErrorCode>(),
    createdAt: at().notNull().defaultNow(),
    decidedAt: at(),
  },
  (table) => [
    uniqueIndex('payments_once').on(table.signature, table.lobbyId, table.wallet, table.nth),
    index().on(table.entryId),
    index().on(table.lobbyId, table.slot),
    index('payments_verifying').on(table.createdAt).where(sql`${table.status} = 'verifying'`),
  ],
);

export type PaymentRow = typeof payments.$inferSelect;

/** Game processes that are alive. */
export const gameProcesses = pgTable('game_processes', {
  id: text().primaryKey(),
  /** Counts its heartbeats. */
  beats: integer().notNull().default(0),
  /** Where clients reach it; null if the page's own address leads to it. */
  address: text(),
  /** Where it stands. Null: nobody said, and every lobby may run there. */
  region: text(),
  /** Only processes of one version can hand matches to each other. */
  version: text().notNull(),
  /** About to stop: its lobbies go to others. */
  isDraining: boolean().notNull().default(false),
  /** The slowest hundredth of the ticks of late took this long or longer; null while it runs no match, and from a process of the version before. */
  slowTickMs: doublePrecision(),
});

/** Which process runs a lobby's room. A lease ends with its process. */
export const lobbyLeases = pgTable(
  'lobby_leases',
  {
    lobbyId: uuid()
      .$type<LobbyId>()
      .primaryKey()
      .references(() => lobbies.id),
    processId: text()
      .notNull()
      .references(() => gameProcesses.id, { onDelete: 'cascade' }),
    /** Counts up over all leases there ever were. */
    token: bigint({ mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
  },
  (table) => [index().on(table.processId)],
);

/** One run of a lobby's arena. Only matches/match-states.ts writes it. */
export const matches = pgTable(
  'matches',
  {
    id: uuid().$type<MatchId>().primaryKey(),
    lobbyId: uuid()
      .$type<LobbyId>()
      .notNull()
      .references(() => lobbies.id),
    /** The process whose room runs the match. */
    heldBy: text().notNull(),
    committedAt: at().notNull(),
    /** SHA-256 of the secret, in hexadecimal digits like all hashes here. */
    commitment: text().notNull(),
    /** The match depends on the first block from this slot on. Null if no node could name a slot. */
    targetSlot: u64(),
    /** That block. Null until it is final, and for a match that went on without one. */
    publicSlot: u64(),
    blockhash: text(),
    /** As the recording has them. */
    rules: text().notNull(),
    /** Signs receipts, and is named on the chain before the block is decided. Null where no money is at stake. */
    receiptKey: text(),
    /** The commitment before it in the lobby that is on the chain. */
    previousCommitment: text(),
    /** The hash of what is stored of the recording while the match runs. */
    storedHash: text(),
    startedAt: at(),
    endedAt: at(),
    /** True if the recording ends where its process died. */
    isCut: boolean(),
    finalTick: integer(),
    /** The hash of the whole recording; null if nobody has played. */
    finalHash: text(),
    /** What the match left to the next one. Set before its end if the next one began first. */
    spillAfter: u64(),
    /** The objects of the recording in the storage, and their size. */
    partCount: integer(),
    recordingBytes: integer(),
    /** Its recording is in the archive, and no longer in the storage once it is `moved`. Null: it is in the storage. */
    archived: text({ enum: ['copied', 'moved'] }),
    /** Null until the match has ended. */
    secret: text(),
  },
  (table) => [
    index().on(table.lobbyId, table.committedAt),
    index('matches_to_archive')
      .on(table.endedAt, table.id)
      .where(
        sql`${table.partCount} > 0 and ${table.finalHash} is not null and ${table.archived} is distinct from 'moved'`,
      ),
    index('matches_running').on(table.heldBy).where(sql`${table.endedAt} is null`),
  ],
);

export type MatchRow = typeof matches.$inferSelect;

/** The secrets of matches that have not ended. Apart from the matches, so that no reader of those can show one. */
export const matchSecrets = pgTable('match_secrets', {
  matchId: uuid()
    .$type<MatchId>()
    .primaryKey()
    .references(() => matches.id),
  secret: text().notNull(),
  /** The private half of the receipt key. It is forgotten with the end of the match, never published. */
  receiptSeed: text(),
});

/** Epochs of running matches that are over, with what may be known of them some time later. */
export const matchEpochs = pgTable(
  'match_epochs',
  {
    matchId: uuid()
      .$type<MatchId>()
      .notNull()
      .references(() => matches.id),
    epoch: integer().notNull(),
    /** Of this epoch. */
    secret: text().notNull(),
    /** Its recording up to the end of the epoch. */
    tick: integer().notNull(),
    partCount: integer().notNull(),
    bytes: integer().notNull(),
    chain: text().notNull(),
    endedAt: at().notNull(),
  },
  (table) => [primaryKey({ columns: [table.matchId, table.epoch] })],
);

/** What matches write to the chain: one row before their block is decided, one after their end. */
export const matchAnchors = pgTable(
  'match_anchors',
  {
    matchId: uuid()
      .$type<MatchId>()
      .notNull()
      .references(() => matches.id),
    kind: text().$type<'commit' | 'close'>().notNull(),
    memo: text().notNull(),
    /** Signed and stored before it is sent. */
    signature: text(),
    wire: text(),
    lastValidBlockHeight: u64(),
    /** Where it is on the chain, once that is final. */
    slot: u64(),
    /** It was given up: the nodes refused it, or it expired. */
    isLost: boolean().notNull().default(false),
    createdAt: at().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.matchId, table.kind] }),
    index('match_anchors_open').on(table.createdAt).where(sql`${table.slot} is null and not ${table.isLost}`),
  ],
);

/** The chain is in hex. */
export type RecordingState = {
  /** Of the recording; undefined from a process of a release that knew only one. */
  readonly version?: number;
  readonly chain: string;
  readonly partCount: number;
  readonly bytes: number;
};

/** Matches on their way from one process to another: the arena between two steps, and who is in it. */
export const matchMoves = pgTable('match_moves', {
  matchId: uuid()
    .$type<MatchId>()
    .primaryKey()
    .references(() => matches.id),
  /** Packed, in base 64. */
  state: text().notNull(),
  /** How far its recording is, so that nobody has to read all of it. Null from a process of an earlier version. */
  recording: jsonb().$type<RecordingState>(),
});
