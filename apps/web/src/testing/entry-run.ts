import { err, ok } from '@engulf/domain/errors/result';
import { vi } from 'vitest';
import { type EntryDeps, type EntryProgress, runEntry } from '../features/entry/entry-flow.ts';
import type { ApiFailure } from '../shared/api/call-api.ts';
import { createEntryRecord, createUnclaimedPayments, type OpenPayment } from '../shared/entry-record.ts';
import { aLobby, memoryStorage } from './fixtures.ts';

const base = { sessionId: 's1', lobbyId: 'mitosis', entryFee: '100000000', message: '' };
export const created = ok({ ...base, status: 'created' as const, shouldPoll: false as const });
export const processing = ok({
  ...base,
  status: 'payment_processing' as const,
  shouldPoll: true as const,
  paymentSessionId: 'p1',
});
export const ticket = ok({
  ...base,
  status: 'ticketSent' as const,
  shouldPoll: false as const,
  joinTicket: 'ticket',
});
export const noNetwork = err<ApiFailure>({
  code: 'NETWORK_ERROR',
  message: 'Network Error',
  httpStatus: null,
  body: undefined,
});
export const badGateway = err<ApiFailure>({
  code: 'HTTP_ERROR',
  message: 'HTTP 502: Bad Gateway',
  httpStatus: 502,
  body: undefined,
});
export const crowded = err<ApiFailure>({
  code: 'RATE_LIMITED',
  message: 'Rate limit exceeded. Try again later.',
  httpStatus: 429,
  body: undefined,
});
export const refused = (code: string, message = 'no') =>
  err<ApiFailure>({ code, message, httpStatus: 409, body: { error: code } });

const payAtOnce: EntryDeps['pay'] = async (_, onSigned) => {
  onSigned('SIGNATURE');
  return ok('SIGNATURE');
};

/** An entry against scripted answers; the payment succeeds at once unless told otherwise. */
export function setUpEntry({ pay = payAtOnce }: { pay?: EntryDeps['pay'] } = {}) {
  const storage = memoryStorage();
  const progress: EntryProgress[] = [];
  const deps = {
    join: vi.fn<EntryDeps['join']>(),
    checkCode: vi.fn<EntryDeps['checkCode']>().mockResolvedValue(ok({ valid: true, message: '' })),
    readStatus: vi.fn<EntryDeps['readStatus']>(),
    awaitNews: vi.fn<EntryDeps['awaitNews']>().mockResolvedValue(undefined),
    reportFailure: vi.fn<EntryDeps['reportFailure']>().mockResolvedValue(undefined),
    pay: vi.fn(pay),
    sleep: vi.fn<EntryDeps['sleep']>().mockResolvedValue(undefined),
    record: createEntryRecord(storage),
    unclaimed: createUnclaimedPayments(storage, 'wallet'),
  };
  const run = (lobby = aLobby(), lobbyCode?: string, openPayment?: OpenPayment) =>
    runEntry({ lobby, lobbyCode, openPayment }, deps, (step) => progress.push(step));
  return { deps, storage, progress, run, steps: () => progress.map(({ step }) => step) };
}
