import type { ErrorCode } from '@engulf/domain/errors/registry';
import type { EntryId, LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import { and, eq, isNotNull, lt, or, sql } from 'drizzle-orm';
import {
  ENTRY_STATES,
  type EntryRow,
  type EntryState,
  entries,
  type OUTCOMES,
} from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { places, prepareOnce } from '../platform/database/prepare-once.ts';

/*
 * The only writer of an entry's state. A new entry is opened once; after that every change is a transition of the
 * table ENTRY_STATES, made by compare-and-set.
 */

type EntryFailure = { readonly code: ErrorCode; readonly message: string };

/** How an entry ended, as the ledger settled it. */
export type Ending = {
  readonly outcome: (typeof OUTCOMES)[number];
  readonly payoutAmount: bigint;
  readonly usdValue: bigint | null;
  readonly finalMassMilli: number | null;
  readonly endedAt: Date;
};

/** What a transition stores besides the state. A timeout or a ticket that is not listed here is cleared. */
export type StateFields = {
  created: never;
  payment_processing: { readonly stateExpiresAt: Date | null };
  ticketSent: {
    readonly stateExpiresAt: Date | null;
    readonly stake?: bigint;
    readonly createdAt?: Date;
    readonly ticketId?: string;
  };
  playing: {
    readonly heldBy: string;
    readonly matchId: MatchId | null;
    readonly startedAt: Date;
    readonly ticketId?: string;
  };
  refunding: Ending;
  ended: Ending;
  expired: Ending | Record<never, never>;
  payment_timeout: { readonly failure: EntryFailure };
  payment_failed: { readonly failure?: EntryFailure };
};

type NewEntry = Pick<
  EntryRow,
  | 'id'
  | 'userId'
  | 'lobbyId'
  | 'paymentSessionId'
  | 'entryFee'
  | 'stake'
  | 'addressHash'
  | 'traitsHash'
  | 'createdAt'
> & {
  readonly state: 'created' | 'ticketSent';
  readonly stateExpiresAt: Date;
  readonly ticketId?: string;
};

/** Hashes of addresses and of what browsers say are kept for the limits and for looking into cases, and no longer. */
export async function forgetAddresses(db: Database, before: Date): Promise<void> {
  await db
    .update(entries)
    .set({ addressHash: null, traitsHash: null })
    .where(
      and(or(isNotNull(entries.addressHash), isNotNull(entries.traitsHash)), lt(entries.createdAt, before)),
    );
}

export async function openEntry(tx: Database, entry: NewEntry): Promise<EntryRow> {
  const [row] = await inserting(tx).execute({ ticketId: null, ...entry });
  return row!;
}

const inserting = prepareOnce((db) =>
  db
    .insert(entries)
    .values(
      places(
        'id',
        'userId',
        'lobbyId',
        'state',
        'paymentSessionId',
        'entryFee',
        'stake',
        'addressHash',
        'traitsHash',
        'createdAt',
        'stateExpiresAt',
        'ticketId',
      ),
    )
    .returning(),
);

/** Reads an entry for a transition: nobody else changes it before the transaction ends. */
export async function lockEntry(tx: Database, id: EntryId): Promise<EntryRow | undefined> {
  const [entry] = await locking(tx).execute({ id });
  return entry;
}

const locking = prepareOnce((db) =>
  db
    .select()
    .from(entries)
    .where(eq(entries.id, sql.placeholder('id')))
    .for('update'),
);

/**
 * Moves an entry from the state it was read in to the next one. Throws if there is no such transition or somebody
 * else was faster; either is a bug of a caller that did not lock the entry, and the transaction must not commit.
 */
export async function advance<To extends EntryState>(
  tx: Database,
  entry: Pick<EntryRow, 'id' | 'state'>,
  to: To,
  fields: StateFields[To],
): Promise<EntryRow> {
  if (!canAdvance(entry.state, to)) {
    throw new Error(`The entry ${entry.id} is ${entry.state} and cannot become ${to}`);
  }
  const values = { stateExpiresAt: null, ticketId: null, ...fields, state: to };
  const [row] = await moving(values)(tx).execute({ ...values, id: entry.id, from: entry.state });
  if (!row) throw new Error(`The entry ${entry.id} is no longer ${entry.state} and cannot become ${to}`);
  return row;
}

type Moving = ReturnType<typeof buildMoving>;
const movings = new Map<string, Moving>();

/** One statement for each set of fields: a null is part of it. */
function moving(values: Readonly<Record<string, unknown>>): Moving {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const shape = given.map(([name, value]) => (value === null ? `-${name}` : name)).join(' ');
  const known = movings.get(shape) ?? buildMoving(given);
  movings.set(shape, known);
  return known;
}

function buildMoving(given: readonly (readonly [string, unknown])[]) {
  const set = Object.fromEntries(
    given.map(([name, value]) => [name, value === null ? null : sql.placeholder(name)]),
  );
  const isRead = and(eq(entries.id, sql.placeholder('id')), eq(entries.state, sql.placeholder('from')));
  return prepareOnce((db) => db.update(entries).set(set).where(isRead).returning());
}

/** Those that play in a match, as far as a process holds them. */
export function arePlaying(matchId: MatchId, heldBy: string) {
  return and(eq(entries.matchId, matchId), eq(entries.state, 'playing'), eq(entries.heldBy, heldBy));
}

/** Gives those that play in a match to another process. A return ticket that is out stays good; others get one. */
export async function giveEntries(
  tx: Database,
  matchId: MatchId,
  heldBy: { readonly from: string; readonly to: string },
): Promise<EntryRow[]> {
  const ticketId = sql`coalesce(${entries.ticketId}, gen_random_uuid()::text)`;
  const given = tx.update(entries).set({ heldBy: heldBy.to, ticketId });
  return given.where(arePlaying(matchId, heldBy.from)).returning();
}

/** Belongs to no process, so its entries are refunded. */
export const NOBODY = '';

/** Leaves those that play in a lobby, as far as the process holds them, to be refunded. */
export async function abandonEntries(tx: Database, lobbyId: LobbyId, heldBy: string): Promise<void> {
  const isHeld = and(eq(entries.lobbyId, lobbyId), eq(entries.state, 'playing'), eq(entries.heldBy, heldBy));
  await tx.update(entries).set({ heldBy: NOBODY }).where(isHeld);
}

export function canAdvance(from: EntryState, to: EntryState): boolean {
  const next: readonly EntryState[] = ENTRY_STATES[from].next;
  return next.includes(to);
}
