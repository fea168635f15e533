import { randomUUID } from 'node:crypto';
import type { JoinPayment } from '@engulf/chain/payments/join-payments';
import {
  chainLobbyId,
  type EntryId,
  lobbyId,
  type TransactionSignature,
  transactionSignature,
  userId,
  walletAddress,
} from '@engulf/domain/ids/entity-ids';
import type { Address } from '@solana/kit';
import { eq } from 'drizzle-orm';
import type { LobbyRow, PaidLobby } from '../../src/lobbies/lobby-rows.ts';
import { findPayment } from '../../src/payments/decide-payment.ts';
import type { Context } from '../../src/platform/context.ts';
import {
  type EntryRow,
  type EntryState,
  entries,
  LIVE_STATES,
  lobbies,
} from '../../src/platform/database/games.ts';
import { referralCodes, type UserRow, users } from '../../src/platform/database/people.ts';
import { createBareContext } from '../bare-context.ts';
import { randomBase58 } from '../random-base58.ts';
import { openThreadedTestDatabase } from '../test-database.ts';

/** What the state machine should do, in the plainest terms: the newest entry of each player. */
export type EntryModel = {
  readonly players: readonly ModelPlayer[];
  nowMs: number;
  /** Whether the lobbies can be entered. */
  hasRooms: boolean;
};

export type ModelPlayer = {
  entry: ModelEntry | undefined;
  /** In paid lobbies, in the order of opening. */
  readonly paidEntries: ModelEntry[];
  readonly payments: Map<TransactionSignature, { readonly entry: ModelEntry; status: PaymentStatus }>;
};

type PaymentStatus = 'verifying' | 'verified' | 'refused';

export type ModelEntry = {
  readonly lobby: 'free' | 'paid';
  createdAtMs: number;
  state: EntryState;
  expiresAtMs: number | undefined;
  /** The only valid ticket. */
  ticket: Ticket | undefined;
  /** Issued before `ticket`, so void. */
  oldTicket?: Ticket | undefined;
  /** Known once the entry has been settled. */
  payout: bigint | undefined;
};

type Ticket = { readonly text: string; readonly issuedAtMs: number };

/** The real thing: functions of the server on a real database, with a clock of the test's own. */
export type RealEntries = {
  readonly context: Context;
  readonly free: LobbyRow;
  readonly paid: PaidLobby;
  readonly users: readonly UserRow[];
  /** Each player can claim these, by number. */
  readonly signatures: readonly (readonly TransactionSignature[])[];
  readonly entryIds: Map<ModelEntry, EntryId>;
};

const START_MS = 1_800_000_000_000;
export const ENTRY_FEE = 50_000_000n;
export const STAKE = 47_500_000n;
export const SEAT_HELD_MS = 120_000;

export function createModel(playerCount: number): EntryModel {
  const players = Array.from({ length: playerCount }, () => ({
    entry: undefined,
    paidEntries: [],
    payments: new Map(),
  }));
  return { players, nowMs: START_MS, hasRooms: false };
}

/** Claims of a payment go to this one, even when the player has moved on to another lobby. */
export function newestPaid({ paidEntries }: ModelPlayer): ModelEntry | undefined {
  const live = paidEntries.find(({ state }) => LIVE_STATES.includes(state));
  return live ?? paidEntries.toSorted((a, b) => b.createdAtMs - a.createdAtMs)[0];
}

/** Whoever leaves seats unpaid waits 15 s after the second within an hour, and twice as long after each further one. */
export function isWaitingAfterUnpaid({ nowMs }: EntryModel, { paidEntries, payments }: ModelPlayer): boolean {
  const verified = [...payments.values()].filter(({ status }) => status === 'verified');
  const unpaid = paidEntries.filter(
    (entry) =>
      /expired|payment_failed|payment_timeout/.test(entry.state) &&
      entry.createdAtMs > nowMs - 3_600_000 &&
      entry.payout === undefined &&
      !verified.some((payment) => payment.entry === entry),
  );
  if (unpaid.length < 2) return false;
  const waitMs = Math.min(1_800_000, 15_000 * 2 ** (unpaid.length - 2));
  return unpaid.some(
    ({ state, createdAtMs }) =>
      createdAtMs + (state === 'payment_failed' ? 0 : SEAT_HELD_MS) + waitMs > nowMs,
  );
}

/** A database with two lobbies. Players are added for each run, so that runs share it without meeting. */
export async function openEntryDatabase() {
  const database = await openThreadedTestDatabase();
  const shared = { maxPlayers: 1_000_000, tokenSymbol: 'SOL', tokenDecimals: 9 };
  const insert = async (row: Omit<typeof lobbies.$inferInsert, 'id'>) =>
    (
      await database.db
        .insert(lobbies)
        .values({ ...row, id: lobbyId(randomUUID()) })
        .returning()
    )[0]!;
  const free = await insert({ ...shared, name: 'free', lobbyType: 'free', entryFee: 0n, sortOrder: 0 });
  const onChain = { chainLobbyId: chainLobbyId(1n) };
  const paid = await insert({
    ...shared,
    ...onChain,
    name: 'paid',
    lobbyType: 'normal',
    entryFee: ENTRY_FEE,
    sortOrder: 1,
  });
  await database.db.insert(referralCodes).values({ code: 'CODE' });
  return { database, free, paid: { ...paid, ...onChain } };
}

export async function createReal(
  { database, free, paid }: Awaited<ReturnType<typeof openEntryDatabase>>,
  model: EntryModel,
): Promise<RealEntries> {
  const { db } = database;
  const nowMs = () => model.nowMs;
  const context = createBareContext(db, { processId: randomUUID(), nowMs });
  const rows = await db
    .insert(users)
    .values(
      model.players.map(() => {
        const id = userId(randomUUID());
        const wallet = walletAddress(randomBase58(32));
        return { id, walletAddress: wallet, name: id.slice(0, 10), referralCode: 'CODE' };
      }),
    )
    .returning();
  const signatures = rows.map(() => Array.from({ length: 4 }, () => transactionSignature(randomBase58(64))));
  return { context, free, paid, users: rows, signatures, entryIds: new Map() };
}

/** The row of the newest entry, by the model: a clock that was set back says nothing about the order. */
export async function newestRow(
  { context, entryIds }: RealEntries,
  { entry }: ModelPlayer,
): Promise<EntryRow | undefined> {
  const id = entry && entryIds.get(entry);
  if (!id) return undefined;
  const [row] = await context.db.select().from(entries).where(eq(entries.id, id));
  return row;
}

export function readPayment(
  { context, paid, users }: RealEntries,
  index: number,
  signature: TransactionSignature,
) {
  const key = { signature, lobbyId: paid.id, wallet: users[index]!.walletAddress, nth: 0 };
  return findPayment(context.db, key);
}

export function paymentOf({ users }: RealEntries, index: number, entryFee: bigint): JoinPayment {
  const anywhere = users[index]!.walletAddress as string as Address;
  return {
    lobbyConfig: anywhere,
    player: anywhere,
    treasury: anywhere,
    tokenMint: undefined,
    entryFee,
    platformFee: ENTRY_FEE - STAKE,
    stake: STAKE,
  };
}
