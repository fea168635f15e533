import { randomUUID } from 'node:crypto';
import { failure } from '@engulf/domain/errors/registry';
import { type EntryId, transactionSignature } from '@engulf/domain/ids/entity-ids';
import { and, eq, inArray } from 'drizzle-orm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { closeRefundedEntry, refundedEntries } from '../../src/entries/expire-entries.ts';
import { joinLobby } from '../../src/entries/join-lobby.ts';
import { readPaymentStatus, reportPaymentFailure } from '../../src/entries/payment-status.ts';
import { recoverEntries } from '../../src/entries/recover-entries.ts';
import { rejoinMatch } from '../../src/entries/rejoin-match.ts';
import { type SettlementRequest, settleEntry } from '../../src/entries/settle-entry.ts';
import { closeBatch, openBatch } from '../../src/money/payouts/payout-states.ts';
import { confirmPayment } from '../../src/payments/confirm-payment.ts';
import { acceptPayment, refusePayment } from '../../src/payments/decide-payment.ts';
import { LIVE_STATES } from '../../src/platform/database/games.ts';
import { payouts } from '../../src/platform/database/money.ts';
import { redeem } from '../players.ts';
import { randomBase58 } from '../random-base58.ts';
import { type Command, command } from './entry-command.ts';
import {
  ENTRY_FEE,
  type EntryModel,
  isWaitingAfterUnpaid,
  type ModelEntry,
  type ModelPlayer,
  newestPaid,
  newestRow,
  paymentOf,
  type RealEntries as Real,
  readPayment,
  SEAT_HELD_MS,
  STAKE,
} from './entry-model.ts';
import { clockSteps, PAID_CLAIM_MS, passTime, roomsDie, roomsOpen } from './entry-times.ts';

/*
 * Everything that can happen to an entry, as commands for a model-based test. Each says what it expects of the
 * model, does the same to the real server and compares.
 */

const TICKET_MS = 60_000;
const DECIDED_WITHIN_MS = 900_000;
const MAX_VERIFYING = 3;

const isLive = (entry: ModelEntry | undefined) => entry !== undefined && LIVE_STATES.includes(entry.state);
const isWaiting = ({ state }: ModelEntry) => state === 'created' || state === 'payment_processing';

/** Given up before it was paid for, while the player has no other entry. */
const canComeBack = (player: ModelPlayer, { state, payout }: ModelEntry) =>
  /expired|payment_failed|payment_timeout/.test(state) && payout === undefined && !isLive(player.entry);

function playerCommand(
  name: string,
  run: (model: EntryModel, real: Real, player: ModelPlayer, index: number) => Promise<void>,
): (index: number) => Command {
  return (index) => command(`${name}(${index})`, (m, real) => run(m, real, m.players[index]!, index));
}

const join = (lobby: 'free' | 'paid') =>
  playerCommand(`join ${lobby}`, async (model, real, player, index) => {
    await real.context.presence.announce(real[lobby].id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
    const answer = await joinLobby(real.context, real.users[index]!, {
      lobbyId: real[lobby].id,
      lobbyCode: undefined,
    });
    const { entry } = player;
    if (entry && isLive(entry)) {
      const isOver = entry.expiresAtMs !== undefined && entry.expiresAtMs <= model.nowMs;
      const isResumed = entry.lobby === lobby && entry.state !== 'playing' && !isOver;
      expect(answer.ok).toBe(isResumed);
      if (answer.ok && answer.value.status === 'ticketSent')
        noteTicket(model, entry, answer.value.joinTicket);
      return;
    }
    const isFree = lobby === 'free';
    if (!isFree && isWaitingAfterUnpaid(model, player)) {
      return expect(answer).toMatchObject({ error: { code: 'UNPAID_SEATS_LIMIT' } });
    }
    if (!answer.ok) throw new Error(answer.error.code);
    const opened: ModelEntry = {
      lobby,
      createdAtMs: model.nowMs,
      state: isFree ? 'ticketSent' : 'created',
      expiresAtMs: model.nowMs + (isFree ? TICKET_MS : SEAT_HELD_MS),
      ticket: undefined,
      payout: undefined,
    };
    player.entry = opened;
    if (!isFree) player.paidEntries.push(opened);
    if (answer.value.status === 'ticketSent') noteTicket(model, opened, answer.value.joinTicket);
    real.entryIds.set(opened, answer.value.sessionId as EntryId);
  });

const confirm = (nth: number) =>
  playerCommand(`confirm ${nth}`, async (model, real, player, index) => {
    const signature = real.signatures[index]![nth]!;
    const answer = await confirmPayment(real.context, real.users[index]!, real.paid.id, signature);
    const entry = newestPaid(player);
    const code = answer.ok ? undefined : answer.error.code;
    if (!entry) return expect(code).toBe('PAYMENT_SESSION_NOT_FOUND');
    const known = player.payments.get(signature);
    const verifying = [...player.payments.values()].filter(({ status }) => status === 'verifying').length;
    if (!known && verifying >= MAX_VERIFYING) return expect(code).toBe('RATE_LIMITED');
    if (known && known.entry !== entry) return expect(code).toBe('DUPLICATE_TRANSACTION');
    expect(code).toBeUndefined();
    if (!known) player.payments.set(signature, { entry, status: 'verifying' });
    if (!isWaiting(entry)) return;
    entry.state = 'payment_processing';
    if (!known) entry.expiresAtMs = model.nowMs + DECIDED_WITHIN_MS;
  });

const chainPays = (nth: number, isRightPrice: boolean) =>
  playerCommand(`chain pays ${nth} ${isRightPrice}`, async (model, real, player, index) => {
    const signature = real.signatures[index]![nth]!;
    const row = await readPayment(real, index, signature);
    const known = player.payments.get(signature);
    expect(row?.status).toBe(known?.status);
    if (!row || !known) return;
    const payment = paymentOf(real, index, isRightPrice ? ENTRY_FEE : ENTRY_FEE - 1n);
    const decision = await real.context.db.transaction((tx) =>
      acceptPayment(real.context, tx, real.paid, row.id, { payment, slot: 1n }),
    );
    if (known.status === 'verified') return expect(decision).toBe('decided-before');
    known.status = 'verified';
    const { entry } = known;
    const isGranted = isRightPrice && (isWaiting(entry) || canComeBack(player, entry));
    expect(decision).toBe(isGranted ? 'granted' : 'refunded');
    if (isGranted) {
      if (!isWaiting(entry)) entry.createdAtMs = model.nowMs;
      Object.assign(entry, { state: 'ticketSent', expiresAtMs: model.nowMs + PAID_CLAIM_MS });
      player.entry = entry;
    } else if (isWaiting(entry)) Object.assign(entry, { state: 'expired', expiresAtMs: undefined });
  });

const chainRefuses = (nth: number) =>
  playerCommand(`chain refuses ${nth}`, async (_model, real, player, index) => {
    const signature = real.signatures[index]![nth]!;
    const row = await readPayment(real, index, signature);
    const known = player.payments.get(signature);
    if (!row || !known) return;
    await real.context.db.transaction((tx) =>
      refusePayment(real.context, tx, row.id, failure('TRANSACTION_FAILED', { reason: 'InstructionError' })),
    );
    if (known.status !== 'verifying') return;
    known.status = 'refused';
    if (known.entry.state === 'payment_processing') {
      Object.assign(known.entry, { state: 'payment_failed', expiresAtMs: undefined });
    }
  });

const reportFailure = playerCommand('report failure', async (_model, real, { entry }, index) => {
  await reportPaymentFailure(real.context, real.users[index]!, real.paid.id);
  if (entry?.state === 'created') Object.assign(entry, { state: 'payment_failed', expiresAtMs: undefined });
});

const poll = playerCommand('poll', async (model, real, player, index) => {
  const { entry } = player;
  const row = await newestRow(real, player);
  if (!row || !entry) return;
  const status = await readPaymentStatus(real.context, real.users[index]!, row.paymentSessionId);
  if (!status.ok) throw new Error(status.error.code);
  expect(status.value.status === 'ticketSent').toBe(entry.state === 'ticketSent');
  if (status.value.status === 'ticketSent') noteTicket(model, entry, status.value.joinTicket);
});

const enterRoom = (isLatest: boolean) =>
  playerCommand(isLatest ? 'enter' : 'enter with an old ticket', async (model, real, { entry }) => {
    const ticket = isLatest ? entry?.ticket : entry?.oldTicket;
    if (!entry || !ticket) return;
    const playing = await redeem(real.context, ticket.text, real[entry.lobby]);
    // The token counts whole seconds.
    const expiresAtS = Math.floor((ticket.issuedAtMs + TICKET_MS) / 1000);
    const isInTime = Math.floor(model.nowMs / 1000) < expiresAtS;
    const isExpected = entry.state === 'ticketSent' || entry.state === 'playing';
    expect(playing.ok).toBe(isLatest && isExpected && isInTime);
    if (playing.ok) Object.assign(entry, { state: 'playing', expiresAtMs: undefined, ticket: undefined });
  });

const rejoin = playerCommand('rejoin', async (model, real, { entry }, index) => {
  const answer = await rejoinMatch(real.context, real.users[index]!);
  expect(answer.ok).toBe(entry?.state === 'playing');
  if (answer.ok) noteTicket(model, entry!, answer.value.joinTicket);
});

const settle = (kind: Exclude<SettlementRequest['kind'], 'unclaimed'>, amount: bigint) =>
  playerCommand(`settle ${kind}`, async (_model, real, { entry }) => {
    if (!entry) return;
    const request = { entryId: real.entryIds.get(entry)!, kind, amount, massMilli: 40_000 };
    const settling = real.context.db.transaction((tx) => settleEntry(real.context, tx, request));
    if (entry.payout !== undefined) {
      return expect(await settling).toMatchObject({ amount: entry.payout, isNew: false });
    }
    if (entry.state !== 'playing') return expect(settling).rejects.toThrow('cannot end');
    const settlement = await settling;
    if (entry.lobby === 'paid') {
      const granted = kind === 'killed' ? 0n : kind === 'forfeit' && amount < STAKE ? amount : STAKE;
      expect(settlement).toEqual({ amount: granted, usdValue: null, isNew: true });
    }
    Object.assign(entry, { state: 'ended', payout: settlement.amount });
  });

const payoutsLand = command('payouts land', async (model, { context, paid, users }) => {
  const { db } = context;
  const ids = users.map(({ id }) => id);
  const isDue = and(eq(payouts.status, 'pending'), inArray(payouts.userId, ids));
  const due = await db.select().from(payouts).where(isDue);
  if (due.length === 0) return;
  const signature = transactionSignature(randomBase58(64));
  const id = randomUUID();
  const claim = { id, lobbyId: paid.id, signature, wire: '', lastValidBlockHeight: 1n };
  const batch = await openBatch(context, due, claim);
  await db.transaction((tx) => closeBatch(context, tx, batch!, { kind: 'finalized', slot: 1n }));
  for (const entryId of await refundedEntries(context)) await closeRefundedEntry(context, entryId);
  for (const { entry } of model.players) if (entry?.state === 'refunding') entry.state = 'expired';
});

export const processDies = command('the process dies', async (model, real) => {
  await roomsDie.run(model, real);
  await recoverEntries(real.context);
  for (const { entry } of model.players) {
    if (entry?.state !== 'playing') continue;
    Object.assign(entry, { state: 'ended', payout: entry.lobby === 'paid' ? STAKE : 0n });
  }
});

export function entryCommands(playerCount: number) {
  const player = fc.nat(playerCount - 1);
  // Mostly the same one, so that claims and decisions meet; a fourth one hits the limit.
  const signature = fc.constantFrom(0, 0, 0, 0, 1, 2, 3);
  const by = (make: (index: number) => Command) => player.map(make);
  return [
    by(join('free')),
    by(join('paid')),
    by(join('paid')),
    fc.tuple(signature, player).map(([nth, index]) => confirm(nth)(index)),
    fc.tuple(signature, player).map(([nth, index]) => confirm(nth)(index)),
    fc.tuple(signature, fc.boolean(), player).map(([nth, isRight, index]) => chainPays(nth, isRight)(index)),
    player.map(chainPays(0, true)),
    fc.tuple(signature, player).map(([nth, index]) => chainRefuses(nth)(index)),
    by(reportFailure),
    by(poll),
    by(enterRoom(true)),
    by(enterRoom(true)),
    by(enterRoom(false)),
    by(rejoin),
    by(settle('cashout', STAKE)),
    by(settle('killed', 0n)),
    by(settle('forfeit', STAKE / 3n)),
    fc.constantFrom(1_000, 59_000, 121_000, 901_000, 3_601_000).map(passTime),
    fc.constantFrom(-600_007, 600_011).map(clockSteps),
    fc.constant(roomsOpen),
    fc.constant(roomsDie),
    fc.constant(payoutsLand),
    fc.constant(processDies),
  ];
}

function noteTicket(model: EntryModel, entry: ModelEntry, text: string): void {
  entry.oldTicket = entry.ticket;
  entry.ticket = { text, issuedAtMs: model.nowMs };
}
