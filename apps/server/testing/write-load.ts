import { randomBytes, randomUUID } from 'node:crypto';
import {
  chainLobbyId,
  type EntryId,
  type LobbyId,
  type TransactionSignature,
  walletAddress,
} from '@engulf/domain/ids/entity-ids';
import { address } from '@solana/kit';
import { and, eq } from 'drizzle-orm';
import { pino } from 'pino';
import { joinLobby } from '../src/entries/join-lobby.ts';
import { readPaymentStatus } from '../src/entries/payment-status.ts';
import { redeemTicket } from '../src/entries/tickets.ts';
import { createLeases } from '../src/game-host/leases.ts';
import { createMoneyLanes } from '../src/game-host/money-lanes.ts';
import { readPlaces } from '../src/lobbies/lease.ts';
import { isPaid, type LobbyRow, listLobbies } from '../src/lobbies/lobby-rows.ts';
import { listRunningLobbies } from '../src/lobbies/running-lobbies.ts';
import { closeBatch, noteSignature, openBatch } from '../src/money/payouts/payout-states.ts';
import { acceptPayment, recordPayment } from '../src/payments/decide-payment.ts';
import { systemClock } from '../src/platform/clock.ts';
import type { Context } from '../src/platform/context.ts';
import { entries, gameProcesses, IS_LIVE } from '../src/platform/database/games.ts';
import { payouts } from '../src/platform/database/money.ts';
import { openDatabase } from '../src/platform/database/open-database.ts';
import type { UserRow } from '../src/platform/database/people.ts';
import { openSharedState } from '../src/platform/fleet/shared-state.ts';
import { createBareContext } from './bare-context.ts';
import { newLobby, newPaidLobby } from './new-lobby.ts';
import { newUser } from './new-user.ts';
import { keepRoomsRunning } from './players.ts';
import { randomBase58 } from './random-base58.ts';

/*
 * What players write, through the functions of the server: seats, payments, tickets, bites and results in PostgreSQL, and the
 * figures of the rooms in Redis. There are no arenas, no pages and no chain.
 */

export type WriteLoad = {
  /** One life from the seat to the result and its payout. Calls `done` with what each step took. */
  live(done: (step: string, tookMs: number) => void): Promise<void>;
  /** What all rooms say each second. */
  announceRooms(): Promise<void>;
  /** What a game process does each second about the lobbies of others. */
  checkLobbies(): Promise<void>;
  /** What an api process reads each second for all its menus. */
  readMenu(): Promise<void>;
  close(): Promise<void>;
};

const SEATS = 10;
const PLAYERS_PER_PROCESS = 1_000;
const [PRICE, PLATFORM_FEE] = [100_000_000n, 5_000_000n];
/** One player in two plays for money, and is in this many bites. */
const BITES = 3;
const PAYOUTS_PER_CLAIM = 10;
/** Of a claim of one payout. */
const WIRE_BYTES = 525;

/** What a worker writes about a claim that lands at once, with whatever the lobby owes. */
async function claim(context: Context, lobbyId: LobbyId): Promise<void> {
  const { db } = context;
  const isOwed = and(eq(payouts.lobbyId, lobbyId), eq(payouts.status, 'pending'));
  const owed = await db.select().from(payouts).where(isOwed).limit(PAYOUTS_PER_CLAIM);
  if (owed.length === 0) return;
  const batch = await openBatch(context, owed, { id: randomUUID(), lobbyId, lastValidBlockHeight: 1n });
  // The lobby has another one, which comes back for the rest.
  if (!batch) return;
  const signature = randomBase58(64) as TransactionSignature;
  await noteSignature(db, batch, { signature, wire: randomBytes(WIRE_BYTES).toString('base64') });
  await db.transaction((tx) => closeBatch(context, tx, batch, { kind: 'finalized', slot: 1n }));
}

export async function openWriteLoad(
  { databaseUrl, redisUrl }: { readonly databaseUrl: string; readonly redisUrl: string },
  players: number,
): Promise<WriteLoad> {
  const database = await openDatabase({ kind: 'postgres', url: databaseUrl });
  const { db } = database;
  const logger = pino({ level: 'silent' });
  const listRunning = () => listRunningLobbies({ db });
  const shared = openSharedState(redisUrl, { logger, nowMs: Date.now, processId: randomUUID(), listRunning });
  const context = createBareContext(db, { ...shared, logger });
  const lobbies: LobbyRow[] = [];
  for (let nth = 0; nth < players / SEATS; nth++) {
    // Others open lobbies as well.
    const chainId = chainLobbyId(BigInt(process.pid) * 1_000_000n + BigInt(nth));
    const change = { maxPlayers: SEATS, sortOrder: nth };
    lobbies.push(
      nth % 2
        ? await newLobby(db, change)
        : await newPaidLobby(db, { ...change, chainLobbyId: chainId, entryFee: PRICE }),
    );
  }
  await keepRoomsRunning(context);
  // As many processes as such a crowd has, each with its connections.
  const processes = await Promise.all(
    Array.from({ length: Math.ceil(players / PLAYERS_PER_PROCESS) }, async () => {
      const own = await openDatabase({ kind: 'postgres', url: databaseUrl });
      const ownContext = { ...context, db: own.db };
      return { own, context: ownContext, lanes: createMoneyLanes(ownContext, async () => true) };
    }),
  );
  const other = { ...context, processId: randomUUID() };
  await db.insert(gameProcesses).values({ id: other.processId, version: 'test' });
  const leases = createLeases(other, systemClock);
  /** Who is not playing. */
  const idle: UserRow[] = [];
  for (let nth = 0; nth < players; nth++) idle.push(await newUser(db, { isRaffleWinner: true }));
  /** The latest who plays in each lobby. */
  const latest = new Map<LobbyRow, EntryId>();
  let lives = 0;

  return {
    live: async (done) => {
      const nth = lives++ % lobbies.length;
      const lobby = lobbies[nth]!;
      const { context, lanes } = processes[nth % processes.length]!;
      const { db } = context;
      const timed = async <Value>(step: string, work: () => Promise<Value>): Promise<Value> => {
        const startedMs = performance.now();
        const value = await work();
        done(step, performance.now() - startedMs);
        return value;
      };
      const user = idle.shift() ?? (await newUser(db, { isRaffleWinner: true }));
      const seat = await timed('seat', () =>
        joinLobby(context, user, { lobbyId: lobby.id, lobbyCode: undefined }),
      );
      if (!seat.ok) throw new Error(seat.error.code);
      let ticket = seat.value.status === 'ticketSent' ? seat.value.joinTicket : undefined;
      if (isPaid(lobby)) {
        const [entry] = await db
          .select()
          .from(entries)
          .where(and(eq(entries.userId, user.id), IS_LIVE));
        const payment = {
          lobbyConfig: address(randomBase58(32)),
          player: address(user.walletAddress),
          treasury: address(randomBase58(32)),
          tokenMint: undefined,
          entryFee: PRICE,
          platformFee: PLATFORM_FEE,
          stake: PRICE - PLATFORM_FEE,
        };
        await timed('payment', () =>
          db.transaction(async (tx) => {
            const signature = randomBase58(64) as TransactionSignature;
            const key = { signature, lobbyId: lobby.id, wallet: walletAddress(user.walletAddress), nth: 0 };
            const row = await recordPayment(tx, key, entry!.id);
            await acceptPayment(context, tx, lobby, row.id, { payment, slot: 1n });
          }),
        );
        const status = await timed('status', () => readPaymentStatus(context, user, entry!.paymentSessionId));
        if (!status.ok || status.value.status !== 'ticketSent')
          throw new Error('The payment was not granted');
        ticket = status.value.joinTicket;
      }
      const room = { lobbyId: lobby.id, matchId: undefined, isOurs: async () => true };
      const entered = await timed('enter', () =>
        redeemTicket(context, ticket!, room, async (_tx, { id }) => id),
      );
      if (!entered.ok) throw new Error(entered.error.code);
      const [id, prey] = [entered.value, latest.get(lobby)];
      latest.set(lobby, id);
      for (let bite = 0; prey && isPaid(lobby) && bite < BITES; bite++)
        lanes.recordBountyMoves(lobby.id, [{ from: id, to: id, amount: 1n }]);
      const isEaten = lives % 2 === 0;
      const outcome = {
        kind: isEaten ? 'forfeit' : 'cashout',
        amount: isEaten ? 1n : PRICE - PLATFORM_FEE,
      } as const;
      const life = { peakMassMilli: 50_000, seconds: 60, kills: 1 };
      await timed('result', () => lanes.settleEntry(lobby.id, id, { ...outcome, massMilli: 50_000 }, life));
      idle.push(user);
      if (isPaid(lobby)) await timed('claim', () => claim(context, lobby.id));
    },
    announceRooms: async () => {
      const figures = { totalPlayers: SEATS, totalBots: 0, poolTotal: PRICE };
      await Promise.all(lobbies.map(({ id }) => context.presence.announce(id, figures)));
    },
    checkLobbies: async () => {
      const rows = await listLobbies(db);
      await leases.look(rows);
      for (const { id } of rows) await leases.take(id);
    },
    readMenu: async () => {
      await Promise.all([listLobbies(db), readPlaces(context)]);
    },
    close: async () => {
      shared.close();
      for (const { own } of processes) await own.close();
      await database.close();
    },
  };
}
