import { renewSeats } from '../../src/entries/expire-entries.ts';
import { gameProcesses } from '../../src/platform/database/games.ts';
import { expireAll, expireTimedOut, keepRoomsRunning } from '../players.ts';
import { command } from './entry-command.ts';
import { type EntryModel, type ModelEntry, type ModelPlayer, STAKE } from './entry-model.ts';

/*
 * What time does to entries: it passes, the clock is set, and rooms come and go.
 */

export const PAID_CLAIM_MS = 120_000;
/** As long as a seat outlives its time if we are to blame. */
const MAX_OUTAGE_MS = 3_600_000;

export const passTime = (ms: number) =>
  command(`${ms} ms pass`, async (model, real) => {
    model.nowMs += ms;
    if (model.hasRooms) await expireAll(real.context);
    else await expireTimedOut(real.context);
    for (const player of model.players) if (player.entry) expireInModel(model, player, player.entry);
  });

function expireInModel({ nowMs, hasRooms }: EntryModel, player: ModelPlayer, entry: ModelEntry): void {
  if (entry.expiresAtMs === undefined || entry.expiresAtMs > nowMs) return;
  const isWithinOutage = nowMs < entry.expiresAtMs + MAX_OUTAGE_MS;
  const isVerifying = [...player.payments.values()].some(
    (payment) => payment.entry === entry && payment.status === 'verifying',
  );
  const isPaid = entry.lobby === 'paid';
  if (entry.state === 'payment_processing' && isVerifying && isWithinOutage) return;
  if (entry.state === 'ticketSent' && isPaid && !hasRooms && isWithinOutage) return;
  entry.expiresAtMs = undefined;
  if (entry.state === 'created') entry.state = 'expired';
  else if (entry.state === 'payment_processing') entry.state = 'payment_timeout';
  else {
    entry.payout = isPaid ? STAKE : 0n;
    entry.state = isPaid ? 'refunding' : 'expired';
  }
}

/** The process restarts on a machine whose clock was set. */
export const clockSteps = (ms: number) =>
  command(`the clock steps by ${ms} ms`, async (model) => {
    model.nowMs += ms;
  });

export const roomsOpen = command('the rooms open', async (model, { context, free, paid }) => {
  await keepRoomsRunning(context);
  for (const { id } of [free, paid]) await context.db.transaction((tx) => renewSeats(context, tx, id));
  model.hasRooms = true;
  for (const { entry } of model.players) {
    if (entry?.state === 'ticketSent' && entry.lobby === 'paid')
      entry.expiresAtMs = model.nowMs + PAID_CLAIM_MS;
  }
});

export const roomsDie = command('the rooms die', async (model, { context }) => {
  await context.db.delete(gameProcesses);
  model.hasRooms = false;
});
