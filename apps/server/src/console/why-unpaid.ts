import type { EntryRow, PaymentRow } from '../platform/database/games.ts';
import type { BatchRow, PayoutRow } from '../platform/database/money.ts';

/*
 * "I was not paid": what became of the money of an entry, in words for whoever has to answer.
 */

type Facts = {
  readonly payout: PayoutRow | undefined;
  readonly batch: Pick<BatchRow, 'status' | 'signature' | 'failureReason'> | undefined;
  readonly arePayoutsPaused: boolean;
  readonly nowMs: number;
};

export type Verdict = { readonly text: string; readonly tone: 'good' | 'warn' | 'bad' | 'quiet' };

/** A payout that nothing holds up is paid within seconds. */
const LATE_MS = 60_000;

export function whyPayoutWaits({
  payout,
  batch,
  arePayoutsPaused,
  nowMs,
}: Facts & { readonly payout: PayoutRow }): Verdict {
  const { status, heldAt, holdReason, notBefore, failedAttempts, waitsForWallet, createdAt } = payout;
  if (status === 'completed')
    return { text: `Paid at ${time(payout.completedAt ?? createdAt)}.`, tone: 'good' };
  if (heldAt)
    return { text: `Held since ${time(heldAt)}: ${holdReason ?? 'no reason was given'}.`, tone: 'warn' };
  if (status === 'processing') {
    return batch?.signature
      ? { text: 'Signed and sent; waits until the chain makes it final.', tone: 'quiet' }
      : {
          text: 'The signer was asked and has not answered.',
          tone: isLate(createdAt, nowMs) ? 'bad' : 'quiet',
        };
  }
  if (arePayoutsPaused) return { text: 'Waits: all payouts are paused by a switch.', tone: 'warn' };
  if (notBefore && notBefore.getTime() > nowMs) {
    const until = `Tried again at ${time(notBefore)}.`;
    if (waitsForWallet)
      return {
        text: `The wallet cannot receive it: its balance would stay below the rent, or it has no account for the token. ${until}`,
        tone: 'warn',
      };
    if (failedAttempts > 0)
      return {
        text: `Failed ${failedAttempts} ${failedAttempts === 1 ? 'time' : 'times'}${batch?.failureReason ? `, last: ${batch.failureReason}` : ''}. ${until}`,
        tone: 'bad',
      };
    return {
      text: `Waits until ${time(notBefore)}: a first payout that is looked at, a limit that is used up, or a pool that does not pay now.`,
      tone: 'warn',
    };
  }
  return isLate(createdAt, nowMs)
    ? { text: `Late: due since ${time(createdAt)}. Worker, signer or node may be away.`, tone: 'bad' }
    : { text: 'Its turn comes within seconds.', tone: 'quiet' };
}

const NOT_OWED: { readonly [outcome: string]: string } = {
  killed: 'Was eaten: the bounty went to whoever ate it. Nothing is owed.',
  forfeit: 'Left before a portal: the bounty was forfeited. Nothing is owed.',
};

export function whyUnpaid(
  entry: Pick<EntryRow, 'state' | 'outcome' | 'failure' | 'entryFee'>,
  payment: Pick<PaymentRow, 'status' | 'failureCode'> | undefined,
  facts: Facts,
): Verdict {
  const { payout } = facts;
  if (payout) return whyPayoutWaits({ ...facts, payout });
  if (entry.entryFee === 0n) return { text: 'A free game: nothing is paid.', tone: 'quiet' };
  switch (entry.state) {
    case 'playing':
      return { text: 'Is still playing.', tone: 'quiet' };
    case 'ticketSent':
      return { text: 'Has paid and may enter.', tone: 'quiet' };
    case 'refunding':
      return { text: 'The seat was not used: the refund is being booked.', tone: 'quiet' };
    case 'ended':
      return {
        text:
          NOT_OWED[entry.outcome ?? ''] ?? `Ended (${entry.outcome ?? 'no outcome'}) with nothing to pay.`,
        tone: 'quiet',
      };
    default:
      return paymentVerdict(entry, payment);
  }
}

function paymentVerdict(
  { failure }: Pick<EntryRow, 'failure'>,
  payment: Pick<PaymentRow, 'status' | 'failureCode'> | undefined,
): Verdict {
  if (payment?.status === 'verifying')
    return { text: 'The payment is being looked for on the chain.', tone: 'quiet' };
  if (payment?.status === 'refused')
    return { text: `The payment was refused: ${payment.failureCode ?? 'no code'}.`, tone: 'warn' };
  if (payment) return { text: 'Has paid; the seat or its refund is being decided.', tone: 'quiet' };
  return {
    text: `No payment for this seat has reached the pool${failure ? ` (${failure.code})` : ''}. Nothing is owed.`,
    tone: 'quiet',
  };
}

function isLate(since: Date, nowMs: number): boolean {
  return nowMs - since.getTime() > LATE_MS;
}

function time(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
