import { err, ok } from '@engulf/domain/errors/result';
import { SIGNATURE_ALREADY_PROCESSED } from '@engulf/protocol/http/join-lobby';
import { describe, expect, test, vi } from 'vitest';
import type { ApiFailure } from '../../shared/api/call-api.ts';
import { aLobby, FREE, memoryStorage } from '../../testing/fixtures.ts';
import { type EntryDeps, type EntryProgress, runEntry } from './entry-flow.ts';

const base = { sessionId: 's1', lobbyId: 'mitosis', entryFee: '100000000', message: '' };
const created = ok({ ...base, status: 'created' as const, shouldPoll: false as const });
const processing = ok({
  ...base,
  status: 'payment_processing' as const,
  shouldPoll: true as const,
  paymentSessionId: 'p1',
});
const ticket = ok({
  ...base,
  status: 'ticketSent' as const,
  shouldPoll: false as const,
  joinTicket: 'ticket',
});
const noNetwork = err<ApiFailure>({
  code: 'NETWORK_ERROR',
  message: 'Network Error',
  httpStatus: null,
  body: undefined,
});
const refused = (code: string, message = 'no') =>
  err<ApiFailure>({ code, message, httpStatus: 409, body: { error: code } });

const payAtOnce: EntryDeps['pay'] = async (_, onSigned) => {
  onSigned('SIGNATURE');
  return ok('SIGNATURE');
};

function setUp({ pay = payAtOnce }: { pay?: EntryDeps['pay'] } = {}) {
  const storage = memoryStorage();
  const progress: EntryProgress[] = [];
  const deps = {
    join: vi.fn<EntryDeps['join']>(),
    checkCode: vi.fn<EntryDeps['checkCode']>().mockResolvedValue(ok({ valid: true, message: '' })),
    readStatus: vi.fn<EntryDeps['readStatus']>(),
    reportFailure: vi.fn<EntryDeps['reportFailure']>().mockResolvedValue(undefined),
    pay: vi.fn(pay),
    sleep: vi.fn<EntryDeps['sleep']>().mockResolvedValue(undefined),
    storage,
  };
  const run = (lobby = aLobby(), lobbyCode?: string) =>
    runEntry({ lobby, lobbyCode }, deps, (step) => progress.push(step));
  return { deps, storage, progress, run, steps: () => progress.map(({ step }) => step) };
}

describe('a free entry', () => {
  test('is one call to the ticket, without the wallet', async () => {
    const { deps, run, storage, steps } = setUp();
    deps.join.mockResolvedValue(ticket);
    expect(await run(aLobby(FREE))).toEqual({ kind: 'play', sessionId: 's1', joinTicket: 'ticket' });
    expect(steps()).toEqual(['creating']);
    expect(deps.pay).not.toHaveBeenCalled();
    expect(storage.items).toEqual(
      new Map([
        ['sessionId', 's1'],
        ['joinTicket', 'ticket'],
        ['lobbyId', 'petri'],
      ]),
    );
  });
});

describe('a paid entry', () => {
  test('goes through all steps: seat, wallet, claim, polls, ticket', async () => {
    const { deps, run, steps, progress } = setUp();
    deps.join.mockResolvedValueOnce(created).mockResolvedValueOnce(processing);
    deps.readStatus
      .mockResolvedValueOnce(ok({ status: 'payment_processing' }))
      .mockResolvedValueOnce(ok({ status: 'ticketSent', joinTicket: 'ticket' }));
    expect(await run()).toMatchObject({ kind: 'play', joinTicket: 'ticket' });
    expect(steps()).toEqual(['creating', 'paying', 'paying', 'confirming', 'verifying', 'joining']);
    expect(progress[2]).toEqual({ step: 'paying', signature: 'SIGNATURE' });
    expect(deps.join.mock.calls[1]![0]).toEqual({
      selectedLobbyId: 'mitosis',
      transactionHash: 'SIGNATURE',
      isPaymentConfirmation: true,
    });
    // One pause after the wallet, none before the first poll, five seconds before the second.
    expect(deps.sleep.mock.calls.flat()).toEqual([1_000, 5_000]);
  });

  test('takes up a payment that is under way already', async () => {
    const { deps, run, storage } = setUp();
    deps.join.mockResolvedValue(processing);
    deps.readStatus.mockResolvedValue(ok({ status: 'ticketSent', joinTicket: 'ticket' }));
    expect(await run()).toMatchObject({ kind: 'play' });
    expect(deps.pay).not.toHaveBeenCalled();
    expect(storage.read('paymentSessionId')).toBe('p1');
  });

  test('claims with True when the chain has had the transaction before', async () => {
    const { deps, run } = setUp({ pay: async () => ok(SIGNATURE_ALREADY_PROCESSED) });
    deps.join.mockResolvedValueOnce(created).mockResolvedValueOnce(ticket);
    expect(await run()).toMatchObject({ kind: 'play' });
    expect(deps.join.mock.calls[1]![0].transactionHash).toBe('True');
  });

  test('lets the player try again after cancelling in the wallet, and frees the seat', async () => {
    const { deps, run, storage } = setUp({
      pay: async (_, onSigned) => {
        onSigned('SIGNATURE');
        return err({ title: 'Payment Cancelled', text: 'again', isCancelled: true });
      },
    });
    deps.join.mockResolvedValue(created);
    expect(await run()).toEqual({
      kind: 'refused',
      notice: { title: 'Payment Cancelled', text: 'again' },
      isPopupClosing: false,
    });
    expect(storage.read('txSignature')).toBeUndefined();
    expect(deps.reportFailure).toHaveBeenCalledExactlyOnceWith('mitosis');
  });

  test('closes the popup after any other failure of the payment', async () => {
    const { deps, run } = setUp({
      pay: async () => err({ title: 'Payment Failed', text: 'x', isCancelled: false }),
    });
    deps.join.mockResolvedValue(created);
    expect(await run()).toMatchObject({ kind: 'refused', isPopupClosing: true });
    expect(deps.reportFailure).toHaveBeenCalledOnce();
  });

  test('does not give up a paid seat because the network fails: claims again with the same signature', async () => {
    const { deps, run } = setUp();
    deps.join
      .mockResolvedValueOnce(created)
      .mockResolvedValueOnce(noNetwork)
      .mockResolvedValueOnce(noNetwork)
      .mockResolvedValueOnce(ticket);
    expect(await run()).toMatchObject({ kind: 'play' });
    expect(deps.pay).toHaveBeenCalledOnce();
    expect(deps.join.mock.calls.slice(1).every(([body]) => body.transactionHash === 'SIGNATURE')).toBe(true);
  });

  test('stops claiming at the first refusal', async () => {
    const { deps, run } = setUp();
    deps.join.mockResolvedValueOnce(created).mockResolvedValueOnce(refused('DUPLICATE_TRANSACTION'));
    expect(await run()).toMatchObject({ kind: 'refused', isPopupClosing: true });
    expect(deps.join).toHaveBeenCalledTimes(2);
  });

  test('names a status it does not expect', async () => {
    const { deps, run } = setUp();
    deps.join.mockResolvedValueOnce(created).mockResolvedValueOnce(created);
    expect(await run()).toMatchObject({ notice: { text: 'Unexpected status: created' } });
  });
});

describe('verification', () => {
  test.each([
    ['payment_timeout', 'timedOut', 'Payment session timed out'],
    ['payment_failed', 'failed', 'Payment verification failed'],
  ] as const)('%s shows its text for a second, then closes', async (status, step, text) => {
    const { deps, run, progress } = setUp();
    deps.join.mockResolvedValue(processing);
    deps.readStatus.mockResolvedValue(ok({ status, errorDetails: { error: 'X', message: '' } }));
    expect(await run()).toMatchObject({ notice: { text }, isPopupClosing: true });
    expect(progress.at(-1)).toEqual({ step });
    expect(deps.sleep.mock.calls.flat()).toEqual([1_000]);
  });

  test('polls on through network failures and stops after 180 tries', async () => {
    const { deps, run } = setUp();
    deps.join.mockResolvedValue(processing);
    deps.readStatus.mockResolvedValue(noNetwork);
    expect(await run()).toMatchObject({ notice: { text: 'Payment polling timeout' }, isPopupClosing: true });
    expect(deps.readStatus).toHaveBeenCalledTimes(180);
    expect(deps.sleep).toHaveBeenCalledTimes(179);
  });
});

describe('a semi-private lobby', () => {
  const clot = aLobby({ id: 'clot', lobbyType: 'semi-private' });

  test('asks for the code first and takes no seat with a wrong one', async () => {
    const { deps, run } = setUp();
    deps.checkCode.mockResolvedValue(ok({ valid: false, message: '' }));
    expect(await run(clot, 'NOPE')).toMatchObject({ isCodeWrong: true, isPopupClosing: false });
    expect(deps.join).not.toHaveBeenCalled();
  });

  test('sends the code with both join calls', async () => {
    const { deps, run } = setUp();
    deps.join.mockResolvedValueOnce(created).mockResolvedValueOnce(ticket);
    await run(clot, 'CLOT');
    expect(deps.join.mock.calls.map(([body]) => body.lobbyCode)).toEqual(['CLOT', 'CLOT']);
  });
});
