import { expect, test } from 'vitest';
import type { PayoutRow } from '../platform/database/money.ts';
import { changeText } from './change-text.ts';
import { whyPayoutWaits, whyUnpaid } from './why-unpaid.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1_000);

const why = (change: Partial<PayoutRow>, facts: Partial<Parameters<typeof whyPayoutWaits>[0]> = {}) =>
  whyPayoutWaits({
    payout: {
      status: 'pending',
      heldAt: null,
      holdReason: null,
      notBefore: null,
      failedAttempts: 0,
      waitsForWallet: false,
      createdAt: at(5),
      completedAt: null,
      ...change,
    } as PayoutRow,
    batch: undefined,
    arePayoutsPaused: false,
    nowMs: NOW,
    ...facts,
  });

test('a payout says in words what it waits for', () => {
  expect(why({})).toMatchObject({ text: 'Its turn comes within seconds.' });
  expect(why({ createdAt: at(61) })).toMatchObject({ text: expect.stringMatching(/^Late/), tone: 'bad' });
  expect(why({}, { arePayoutsPaused: true }).text).toContain('paused by a switch');
  expect(why({ heldAt: at(60), holdReason: 'integrity case 7' }).text).toBe(
    'Held since 2026-11-18 11:59 UTC: integrity case 7.',
  );
  expect(why({ notBefore: at(-60), waitsForWallet: true }).text).toContain('wallet cannot receive it');
  const failed = { status: 'failed', signature: null, failureReason: 'Custom(7)' } as const;
  expect(why({ notBefore: at(-60), failedAttempts: 2 }, { batch: failed }).text).toContain(
    'Failed 2 times, last: Custom(7)',
  );
  expect(why({ notBefore: at(-7_200) }).text).toContain('Waits until 2026-11-18 14:00 UTC');
  // A time that has passed holds up nothing.
  expect(why({ notBefore: at(1) }).text).toBe('Its turn comes within seconds.');
  expect(why({ status: 'processing' }).text).toContain('signer was asked');
  const open = { status: 'open', signature: 'x', failureReason: null } as never;
  expect(why({ status: 'processing' }, { batch: open }).text).toContain('Signed and sent');
  expect(why({ status: 'completed', completedAt: at(0) })).toMatchObject({ tone: 'good' });
});

test('an entry without a payout says why nothing is owed', () => {
  const facts = { payout: undefined, batch: undefined, arePayoutsPaused: false, nowMs: NOW };
  const entry = { state: 'ended', outcome: 'killed', failure: null, entryFee: 5n } as const;
  expect(whyUnpaid(entry, undefined, facts).text).toContain('Was eaten');
  expect(whyUnpaid({ ...entry, outcome: null, state: 'expired' }, undefined, facts).text).toContain(
    'No payment',
  );
  const refused = { status: 'refused', failureCode: 'TREASURY_MISMATCH' } as const;
  expect(whyUnpaid({ ...entry, state: 'payment_failed' }, refused, facts).text).toContain(
    'TREASURY_MISMATCH',
  );
  expect(whyUnpaid({ ...entry, entryFee: 0n }, undefined, facts).text).toContain('free');
});

test('nothing in a text to sign can begin a line of its own', () => {
  const text = changeText({
    origin: 'https://a.example',
    wallet: 'W',
    name: 'Eve\nNonce: 1',
    command: 'user ban Eve',
    lines: ['Eve\r\nWhy: none\u2028Nonce: 2 \u202etxet'],
    reason: 'a\u0000b',
    nonce: 'abc',
    expiresAt: new Date(NOW),
  });
  expect(text.split('\n').filter((line) => line.startsWith('Nonce:'))).toEqual(['Nonce: abc']);
  expect(text).not.toMatch(/[\r\0\u2028\u202e]/);
});
