import { expect, test } from 'vitest';
import { PAYMENT_POLL, sessionConflictTitle } from './entry-flow.ts';

test('a payment is polled for a quarter of an hour', () => {
  expect(PAYMENT_POLL.everyMs * PAYMENT_POLL.maxAttempts).toBe(15 * 60_000);
});

test('a conflict says whether money is involved', () => {
  expect(sessionConflictTitle({ isPaymentSession: true })).toBe('Payment In Progress');
  expect(sessionConflictTitle({ isPaymentSession: false })).toBe('Multiple Session Detected');
});
