import { expect, test } from 'vitest';
import { memoryStorage } from '../testing/fixtures.ts';
import { createEntryRecord, readOpenPayment } from './entry-record.ts';

function recordOf(items: Record<string, string>) {
  const storage = memoryStorage();
  for (const [key, value] of Object.entries(items)) storage.write(key, value);
  return createEntryRecord(storage);
}

const seat = { sessionId: 's1', lobbyId: 'mitosis' };

test.each([
  ['verified', { ...seat, txSignature: 'x', paymentSessionId: 'p1' }, { ...seat, paymentSessionId: 'p1' }],
  ['signed', { ...seat, txSignature: 'x' }, { ...seat, paymentSessionId: undefined }],
])('a tab goes on with a payment that was being %s when it was reloaded', (_, items, payment) => {
  expect(readOpenPayment(recordOf(items))).toEqual(payment);
});

test.each([
  ['a match', seat],
  ['a seat without a lobby', { sessionId: 's1', paymentSessionId: 'p1' }],
  ['a payment of another tab', { lobbyId: 'mitosis', paymentSessionId: 'p1' }],
])('%s is no payment to go on with', (_, items) => {
  expect(readOpenPayment(recordOf(items))).toBeUndefined();
});
