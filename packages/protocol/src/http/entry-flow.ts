/** What the join call may answer, and what polling the payment may. */
export const JOIN_STATUSES = ['created', 'payment_processing', 'ticketSent'] as const;
export type JoinStatus = (typeof JOIN_STATUSES)[number];

export const PAYMENT_STATUSES = [
  'payment_processing',
  'ticketSent',
  'payment_timeout',
  'payment_failed',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const PAYMENT_POLL = { everyMs: 5_000, maxAttempts: 180 } as const;

export const JOIN_TRANSACTION = { commitment: 'finalized', maxRetries: 3 } as const;

export const ENTRY_FLOW_DELAYS = {
  /** Between the wallet's answer and reading the stored signature. */
  afterWalletPaymentMs: 1_000,
  beforeClosingOnFailureMs: 1_000,
  reopenPopupAfterPlayAgainMs: 100,
  restartAfterDeathMs: 500,
  restartAfterCashOutMs: 300,
} as const;

/** The client stores this in place of a signature when the chain already had the transaction. */
export const SIGNATURE_ALREADY_PROCESSED = 'True';

/** The heading of the popup that a second session meets. */
export function sessionConflictTitle(conflict: { readonly isPaymentSession: boolean }): string {
  return conflict.isPaymentSession ? 'Payment In Progress' : 'Multiple Session Detected';
}
