import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { isUuid } from '@engulf/domain/ids/uuid';
import type { ConsoleSection } from '@engulf/protocol/http/console';
import { desc, eq } from 'drizzle-orm';
import { postingsOf } from '../../admin/commands/books.ts';
import type { LobbyRow } from '../../lobbies/lobby-rows.ts';
import { type EntryRow, entries, lobbies, type PaymentRow, payments } from '../../platform/database/games.ts';
import { type BatchRow, type PayoutRow, payoutBatches, payouts } from '../../platform/database/money.ts';
import { users } from '../../platform/database/people.ts';
import { fields, linked, money, number, playerLink, table, timed, toned } from '../sections.ts';
import type { View } from '../view.ts';
import { whyUnpaid } from '../why-unpaid.ts';
import { payoutsTable } from './payout-rows.ts';

/** One entry from wallet to wallet. */
export const entryView: View = {
  title: 'Entry',
  least: 'operator',
  isDetail: true,
  read: async (context, user, { id = '' }) => {
    const { db, nowMs } = context;
    const [found] = isUuid(id)
      ? await db
          .select({
            entry: entries,
            lobby: lobbies,
            payout: payouts,
            batch: payoutBatches,
            payment: payments,
            player: users,
          })
          .from(entries)
          .innerJoin(users, eq(users.id, entries.userId))
          .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
          .leftJoin(payouts, eq(payouts.entryId, entries.id))
          .leftJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
          .leftJoin(payments, eq(payments.entryId, entries.id))
          .where(eq(entries.id, id as EntryId))
          .orderBy(desc(payments.status))
          .limit(1)
      : [];
    if (!found) return [fields('There is no such entry', {})];
    const { entry, lobby, payout, batch, payment, player } = found;
    const { 'payouts-paused': arePayoutsPaused } = await context.switches.read();
    const why = whyUnpaid(entry, payment ?? undefined, {
      payout: payout ?? undefined,
      batch: batch ?? undefined,
      arePayoutsPaused,
      nowMs: nowMs(),
    });
    const { matchId } = entry;
    return [
      fields(`Entry of ${player.name}`, {
        why: toned(why.text, why.tone),
        player: playerLink(player.id, player.name),
        wallet: player.walletAddress,
        lobby: lobby.name,
        state: entry.state,
        outcome: entry.outcome,
        match: matchId && linked(matchId.slice(0, 8), `/replay/${matchId}?player=${entry.id}`),
        entry: entry.id,
      }),
      { kind: 'path', title: 'From wallet to wallet', steps: stepsOf(entry, lobby, payment, payout, batch) },
      ...(payout
        ? [
            await payoutsTable(context, user, {
              title: 'Payout',
              which: eq(payouts.id, payout.id),
              empty: '',
            }),
          ]
        : []),
      table(
        'Ledger',
        ['when', 'event', 'from', 'to', number('amount')],
        (await postingsOf(db, entry)).map(({ at, event, debit, credit, amount }) => ({
          cells: { when: timed(at), event, from: debit, to: credit, amount: money(amount, lobby) },
        })),
        { empty: 'Nothing was posted.' },
      ),
    ];
  },
};

type Step = Extract<ConsoleSection, { kind: 'path' }>['steps'][number];
const iso = (at: Date | null | undefined) => (at ? { at: at.toISOString() } : {});

function stepsOf(
  entry: EntryRow,
  lobby: LobbyRow,
  payment: PaymentRow | null,
  payout: PayoutRow | null,
  batch: BatchRow | null,
): Step[] {
  const seat: Step = { title: 'Seat', text: lobby.name, state: 'done', ...iso(entry.createdAt) };
  const paid: Step = {
    title: 'Payment',
    text: payment
      ? `${money(entry.entryFee, lobby)}, ${payment.status}${payment.failureCode ? ` (${payment.failureCode})` : ''}`
      : 'none found',
    state: payment?.status === 'verified' ? 'done' : payment?.status === 'verifying' ? 'now' : 'stopped',
    ...iso(payment?.decidedAt),
  };
  const hasPlayed = entry.startedAt !== null;
  const played: Step = {
    title: 'Game',
    text: entry.outcome ?? entry.state,
    state: entry.endedAt ? 'done' : hasPlayed ? 'now' : entry.state === 'ticketSent' ? 'now' : 'ahead',
    ...iso(entry.endedAt ?? entry.startedAt),
    ...(entry.matchId && { to: `/replay/${entry.matchId}?player=${entry.id}` }),
  };
  const owed: Step = {
    title: payout?.isRefund ? 'Refund' : 'Owed',
    text: payout ? money(payout.amount, lobby) : 'nothing',
    state: payout ? (payout.heldAt ? 'stopped' : 'done') : entry.endedAt ? 'stopped' : 'ahead',
    ...iso(payout?.createdAt),
  };
  const signed: Step = {
    title: 'Claim',
    text: batch?.signature ? `${batch.signature.slice(0, 12)}…` : (payout?.holdReason ?? 'not signed'),
    state: batch?.signature ? 'done' : payout?.status === 'processing' ? 'now' : 'ahead',
    ...iso(batch?.createdAt),
  };
  const arrived: Step = {
    title: 'Wallet',
    text: payout?.status === 'completed' ? 'paid, final' : 'not yet',
    state: payout?.status === 'completed' ? 'done' : batch?.signature ? 'now' : 'ahead',
    ...iso(payout?.completedAt),
  };
  return [seat, paid, played, owed, ...(payout ? [signed, arrived] : [])];
}
