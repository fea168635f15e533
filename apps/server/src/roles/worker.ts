import type { EntryId, LobbyId } from '@engulf/domain/ids/entity-ids';
import { eq, inArray, isNotNull } from 'drizzle-orm';
import {
  closeRefundedEntry,
  expireEntry,
  refundedEntries,
  timedOutEntries,
} from '../entries/expire-entries.ts';
import { orphanedEntries, recoverEntry } from '../entries/recover-entries.ts';
import { lobbiesThatOwe, type PayoutDeps, payLobby, sendThroughNode } from '../money/payouts/pay-lobby.ts';
import { checkSolvency } from '../money/solvency.ts';
import { reconcileLobby } from '../payments/reconcile-lobby.ts';
import { verifyPayment } from '../payments/verify-payment.ts';
import type { Context } from '../platform/context.ts';
import { entries, lobbies, payments } from '../platform/database/games.ts';
import { type Scheduler, startScheduler, type Task } from '../platform/scheduler.ts';
import { drawRaffle, undrawnRaffles } from '../social/draw-raffle.ts';
import type { Social } from '../social/task-providers.ts';
import { queuedTasks, verifyTask } from '../social/tasks.ts';
import { readTelegram } from '../social/telegram.ts';

export type WorkerOptions = { readonly social: Social; readonly raffleWinnersPerDay: number };

/** The role that moves money. Nothing wakes it: it finds its work in the tables, after a crash just as before. */
export function startWorker(context: Context, { social, raffleWinnersPerDay }: WorkerOptions): Scheduler {
  const payoutDeps: PayoutDeps = {
    send: (wire) => sendThroughNode(context, wire),
    bookPayments: (lobbyId) => reconcileLobby(context, lobbyId),
  };
  const searchUnproven = (lobbyId: LobbyId) => reconcileLobby(context, lobbyId, 'unproven');
  const tasks: Task[] = [
    {
      name: 'expire-entry',
      everyMs: 1_000,
      due: () => timedOutEntries(context),
      run: (entryId) => expireEntry(context, entryId as EntryId),
    },
    {
      name: 'close-refunded-entry',
      everyMs: 1_000,
      due: () => refundedEntries(context),
      run: (entryId) => closeRefundedEntry(context, entryId as EntryId),
    },
    {
      name: 'recover-entry',
      everyMs: 1_000,
      due: () => orphanedEntries(context),
      run: (entryId) => recoverEntry(context, entryId as EntryId),
    },
    {
      name: 'verify-payment',
      everyMs: 1_000,
      due: () => undecidedPayments(context),
      run: (paymentId) => verifyPayment(context, paymentId),
    },
    {
      name: 'reconcile-awaited-lobby',
      everyMs: 5_000,
      due: () => awaitedLobbies(context),
      run: (lobbyId) => reconcileLobby(context, lobbyId as LobbyId),
    },
    {
      name: 'reconcile-lobby',
      everyMs: 60_000,
      due: () => paidLobbies(context),
      run: async (lobbyId) => {
        await reconcileLobby(context, lobbyId as LobbyId);
        await checkSolvency(context, lobbyId as LobbyId, { searchUnproven });
      },
    },
    {
      name: 'search-unproven-lobby',
      everyMs: 3_600_000,
      due: () => paidLobbies(context),
      run: (lobbyId) => searchUnproven(lobbyId as LobbyId),
    },
    {
      name: 'verify-task',
      everyMs: 1_000,
      due: () => queuedTasks(context),
      run: (key) => verifyTask(context, social, key),
    },
    {
      name: 'draw-raffle',
      everyMs: 5_000,
      due: () => undrawnRaffles(context),
      run: (day) => drawRaffle(context, day, { winnersPerDay: raffleWinnersPerDay }),
    },
    {
      name: 'pay-lobby',
      everyMs: 1_000,
      due: () => lobbiesThatOwe(context),
      run: (lobbyId) => payLobby(context, lobbyId as LobbyId, payoutDeps),
    },
  ];
  const { telegram } = social;
  if (telegram) {
    const run = () => readTelegram(context, telegram);
    tasks.push({ name: 'read-telegram', everyMs: 2_000, due: async () => ['inbox'], run });
  }
  return startScheduler(tasks, context.logger);
}

async function undecidedPayments({ db }: Context): Promise<string[]> {
  const rows = await db.select({ id: payments.id }).from(payments).where(eq(payments.status, 'verifying'));
  return rows.map(({ id }) => id);
}

/** Lobbies where somebody may be paying now. Elsewhere a payment can wait longer for its refund. */
async function awaitedLobbies({ db }: Context): Promise<LobbyId[]> {
  const rows = await db
    .selectDistinct({ lobbyId: entries.lobbyId })
    .from(entries)
    .where(inArray(entries.state, ['created', 'payment_processing']));
  return rows.map(({ lobbyId }) => lobbyId);
}

async function paidLobbies({ db }: Context): Promise<LobbyId[]> {
  const rows = await db.select({ id: lobbies.id }).from(lobbies).where(isNotNull(lobbies.chainLobbyId));
  return rows.map(({ id }) => id);
}
