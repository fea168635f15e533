import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { and, eq, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm';
import { expireEntries } from '../entries/expire-entries.ts';
import { recoverEntries } from '../entries/recover-entries.ts';
import { reconcileLobby } from '../money/payments/reconcile-lobby.ts';
import { verifyPayment } from '../money/payments/verify-payment.ts';
import { payLobby, type SendTransaction, sendThrough } from '../money/payouts/pay-lobby.ts';
import type { Context } from '../platform/context.ts';
import { entries, lobbies, payments } from '../platform/database/games.ts';
import { payoutBatches, payouts } from '../platform/database/money.ts';
import type { JobQueue } from '../platform/jobs.ts';

export type Worker = {
  stop(): Promise<void>;
};

const SWEEP_MS = 1_000;
/** Where somebody may be paying right now; elsewhere a payment is nobody's and can wait for its refund. */
const RECONCILE_EVERY_SWEEPS = 5;
const RECONCILE_ALL_EVERY_SWEEPS = 60;

/**
 * The role that moves money. Everything open is looked at again every second, so that a start after a crash needs
 * nothing special: the first sweep finds what the last process left.
 */
export async function startWorker(
  context: Context,
  jobs: JobQueue,
  send: SendTransaction = sendThrough(context),
): Promise<Worker> {
  await jobs.work('verify-payment', (paymentId) => verifyPayment(context, paymentId));
  await jobs.work('reconcile-lobby', (lobbyId) => reconcileLobby(context, lobbyId as LobbyId));
  await jobs.work('pay-lobby', (lobbyId) => payLobby(context, lobbyId as LobbyId, send));

  let isStopped = false;
  let sweeps = 0;
  const loop = (async () => {
    while (!isStopped) {
      try {
        await sweep(context);
        for (const lobbyId of await lobbiesToReconcile(context, sweeps++)) {
          await context.jobs.nudge(context.db, 'reconcile-lobby', lobbyId);
        }
      } catch (error) {
        context.logger.error({ err: error }, 'sweep failed');
      }
      await new Promise((done) => setTimeout(done, SWEEP_MS));
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await loop;
    },
  };
}

async function sweep(context: Context): Promise<void> {
  const { db, jobs } = context;
  await expireEntries(context);
  await recoverEntries(context);
  const verifying = await db
    .select({ id: payments.id })
    .from(payments)
    .where(eq(payments.status, 'verifying'));
  for (const { id } of verifying) await jobs.nudge(db, 'verify-payment', id);
  for (const lobbyId of await lobbiesThatOwe(context)) await jobs.nudge(db, 'pay-lobby', lobbyId);
}

async function lobbiesToReconcile({ db }: Context, sweeps: number): Promise<LobbyId[]> {
  if (sweeps % RECONCILE_ALL_EVERY_SWEEPS === 0) {
    const paid = await db.select({ id: lobbies.id }).from(lobbies).where(isNotNull(lobbies.chainLobbyId));
    return paid.map(({ id }) => id);
  }
  if (sweeps % RECONCILE_EVERY_SWEEPS !== 0) return [];
  const awaited = await db
    .selectDistinct({ lobbyId: entries.lobbyId })
    .from(entries)
    .where(inArray(entries.state, ['created', 'payment_processing']));
  return awaited.map(({ lobbyId }) => lobbyId);
}

async function lobbiesThatOwe({ db, nowMs }: Context): Promise<Set<LobbyId>> {
  const isDue = or(isNull(payouts.notBefore), lte(payouts.notBefore, new Date(nowMs())));
  const waiting = await db
    .selectDistinct({ lobbyId: payouts.lobbyId })
    .from(payouts)
    .where(and(eq(payouts.status, 'pending'), isDue));
  const open = await db
    .select({ lobbyId: payoutBatches.lobbyId })
    .from(payoutBatches)
    .where(eq(payoutBatches.status, 'open'));
  return new Set([...waiting, ...open].map(({ lobbyId }) => lobbyId));
}
