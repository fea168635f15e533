import type { LobbyId, MatchId, UserId } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import {
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
import { matches } from './games.ts';
import { users } from './people.ts';

const at = () => timestamp({ withTimezone: true });
const user = () =>
  uuid()
    .$type<UserId>()
    .notNull()
    .references(() => users.id);

/**
 * Matches whose recording has been read, all of it or the parts that were public by then. Written together with what was found
 * in it, so each part counts once.
 */
export const integrityReadings = pgTable('integrity_readings', {
  matchId: uuid()
    .$type<MatchId>()
    .primaryKey()
    .references(() => matches.id),
  readAt: at().notNull(),
  /** Why it could not be read; null if it was. */
  problem: text(),
  /** The first part of the recording that has not been read; null if there will be no more to read. */
  nextPart: integer(),
  /** What reading on from there begins with, packed by the thread that reads. */
  carry: text(),
});

/** What one match says about what a player did with another, or, with itself as partner, alone. */
export const integrityEvidence = pgTable(
  'integrity_evidence',
  {
    matchId: uuid()
      .$type<MatchId>()
      .notNull()
      .references(() => integrityReadings.matchId),
    actor: user(),
    partner: user(),
    readAt: at().notNull(),
    sums: jsonb().$type<unknown>().notNull(),
    /** A person has dismissed a case that rested on it: it counts no more. */
    isSettled: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.matchId, table.actor, table.partner] }),
    index().on(table.actor, table.partner),
    index('integrity_evidence_counting').on(table.readAt).where(sql`not ${table.isSettled}`),
  ],
);

export const CASE_STATES = ['open', 'acted', 'dismissed'] as const;

/** Somebody who was put forward. Only integrity/cases.ts writes it. */
export const integrityCases = pgTable(
  'integrity_cases',
  {
    id: uuid().primaryKey(),
    actor: user(),
    /** With whom. Not accused by this case. */
    partner: uuid()
      .$type<UserId>()
      .references(() => users.id),
    state: text({ enum: CASE_STATES }).notNull(),
    /** The statistics, as of the last look. */
    findings: jsonb().$type<readonly CaseFinding[]>().notNull(),
    /** The least probable finding. */
    pValue: doublePrecision().notNull(),
    openedAt: at().notNull(),
    decidedAt: at(),
    /** What was done. */
    decision: jsonb().$type<readonly string[]>(),
    reason: text(),
    /** The player has asked for another look. */
    appealedAt: at(),
  },
  (table) => [
    uniqueIndex('integrity_cases_one_open')
      .on(table.actor, sql`coalesce(${table.partner}, ${table.actor})`)
      .where(sql`${table.state} = 'open'`),
    index().on(table.state, table.openedAt),
    index().on(table.decidedAt),
  ],
);

export type CaseFinding = {
  readonly kind: string;
  readonly pValue: number;
  readonly strength: number;
  readonly count: number;
};
export type CaseRow = typeof integrityCases.$inferSelect;

/** Two accounts that are not seated in the same paid match; the smaller id first. */
export const integritySeparations = pgTable(
  'integrity_separations',
  {
    one: user(),
    two: user(),
    caseId: uuid()
      .notNull()
      .references(() => integrityCases.id),
    createdAt: at().notNull(),
  },
  (table) => [primaryKey({ columns: [table.one, table.two] }), index().on(table.two)],
);

export const REPORT_REASONS = ['teaming', 'script', 'other'] as const;

/** A player reports another, once per match. Only integrity/reports.ts writes it. */
export const integrityReports = pgTable(
  'integrity_reports',
  {
    matchId: uuid()
      .$type<MatchId>()
      .notNull()
      .references(() => matches.id),
    reporter: user(),
    reported: user(),
    reason: text({ enum: REPORT_REASONS }).notNull(),
    createdAt: at().notNull(),
    /** What came of it; null while nobody has decided. */
    outcome: text({ enum: ['acted', 'dismissed', 'nothing found'] }),
    decidedAt: at(),
    /** The reporter has been told. */
    toldAt: at(),
  },
  (table) => [
    primaryKey({ columns: [table.matchId, table.reporter, table.reported] }),
    index().on(table.reported, table.outcome),
    index().on(table.reporter, table.createdAt),
  ],
);

/** What a player is told by the operator. */
export const integrityWarnings = pgTable(
  'integrity_warnings',
  {
    caseId: uuid()
      .notNull()
      .references(() => integrityCases.id),
    userId: user(),
    createdAt: at().notNull(),
    seenAt: at(),
  },
  (table) => [primaryKey({ columns: [table.caseId, table.userId] }), index().on(table.userId)],
);

/** What a paid lobby asks of those who enter. A lobby without a row asks nothing. */
export const integrityLobbyRules = pgTable('integrity_lobby_rules', {
  lobbyId: uuid().$type<LobbyId>().primaryKey(),
  /** Accounts of one address that hold a seat at once; null: any number. */
  accountsPerAddress: integer(),
  minAccountDays: integer(),
  /** Free games instead of, or besides, the age: either is enough if both are set. */
  minFreeGames: integer(),
  /** How long somebody's first payout waits if it is large, and from how many times the price on it is. */
  firstPayoutHours: integer(),
  firstPayoutMultiple: integer(),
});
