import { err, ok } from '@engulf/domain/errors/result';
import { SIGNATURE_ALREADY_PROCESSED } from '@engulf/protocol/http/join-lobby';
import { describe, expect, test } from 'vitest';
import { settings } from '../../shared/settings.ts';
import {
  badGateway,
  created,
  crowded,
  noNetwork,
  processing,
  refused,
  setUpEntry,
  ticket,
} from '../../testing/entry-run.ts';
import { aLobby, FREE } from '../../testing/fixtures.ts';
import { enterAgain } from './enter-again.ts';

describe('a free entry', () => {
  test('gets its ticket from one call and never asks the wallet', async () => {
    const { deps, run, storage, steps } = setUpEntry();
    deps.join.mockResolvedValue(ticket);
    expect(await run(aLobby(FREE))).toEqual({ kind: 'play', joinTicket: 'ticket' });
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
  test('takes a seat, pays, claims, polls and gets its ticket', async () => {
    const { deps, run, steps, progress } = setUpEntry();
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
    // One pause after the wallet and one to read that the payment arrived; none before the first poll, five seconds or news before the second.
    expect(deps.sleep.mock.calls.flat()).toEqual([1_000, 900]);
    expect(deps.awaitNews.mock.calls).toEqual([['p1', 5_000]]);
  });

  test('is not paid at a price that was never shown', async () => {
    const { deps, run } = setUpEntry();
    deps.join.mockResolvedValue(ok({ ...created.value, entryFee: '200000000' }));
    expect(await run()).toMatchObject({ kind: 'refused', closesPopup: false });
    expect(deps.pay).not.toHaveBeenCalled();
    expect(deps.reportFailure).toHaveBeenCalledExactlyOnceWith('mitosis');
  });

  test('resumes a payment that is still being processed', async () => {
    const { deps, run, storage } = setUpEntry();
    deps.join.mockResolvedValue(processing);
    deps.readStatus.mockResolvedValue(ok({ status: 'ticketSent', joinTicket: 'ticket' }));
    expect(await run()).toMatchObject({ kind: 'play' });
    expect(deps.pay).not.toHaveBeenCalled();
    expect(storage.read('paymentSessionId')).toBe('p1');
  });

  test('continues a payment from before a reload, and makes no other', async () => {
    const { deps, run, storage } = setUpEntry();
    deps.readStatus.mockResolvedValue(ok({ status: 'ticketSent', joinTicket: 'ticket' }));
    const openPayment = { sessionId: 's1', lobbyId: 'mitosis', paymentSessionId: 'p1' };
    expect(await run(aLobby(), undefined, openPayment)).toMatchObject({ kind: 'play' });
    expect(deps.readStatus).toHaveBeenCalledExactlyOnceWith('p1');
    expect(storage.read('sessionId')).toBe('s1');
    expect(await run(aLobby(), undefined, { sessionId: 's1', lobbyId: 'mitosis' })).toEqual({
      kind: 'refused',
      closesPopup: true,
    });
    expect(deps.join).not.toHaveBeenCalled();
    expect(deps.pay).not.toHaveBeenCalled();
  });

  test('leaves the documented storage keys behind', async () => {
    const { deps, run, storage } = setUpEntry();
    deps.join.mockResolvedValueOnce(created).mockResolvedValueOnce(processing);
    deps.readStatus.mockResolvedValue(ok({ status: 'ticketSent', joinTicket: 'ticket' }));
    await run();
    expect(Object.fromEntries(storage.items)).toEqual({
      sessionId: 's1',
      deposit: '0.1',
      txSignature: 'SIGNATURE',
      paymentSessionId: 'p1',
      joinTicket: 'ticket',
      lobbyId: 'mitosis',
    });
  });

  test('claims and stores True when the chain already has the transaction', async () => {
    const { deps, run, storage } = setUpEntry({ pay: async () => ok(SIGNATURE_ALREADY_PROCESSED) });
    deps.join.mockResolvedValueOnce(created).mockResolvedValueOnce(ticket);
    expect(await run()).toMatchObject({ kind: 'play' });
    expect(deps.join.mock.calls[1]![0].transactionHash).toBe('True');
    expect(storage.read('txSignature')).toBe('True');
  });

  test('a cancelled signature frees the seat and keeps the popup open', async () => {
    const { deps, run, storage } = setUpEntry({
      pay: async (_, onSigned) => {
        onSigned('SIGNATURE');
        return err({ title: 'Payment Cancelled', text: 'again', isCancelled: true });
      },
    });
    deps.join.mockResolvedValue(created);
    expect(await run()).toEqual({
      kind: 'refused',
      notice: { title: 'Payment Cancelled', text: 'again' },
      closesPopup: false,
    });
    expect(storage.read('txSignature')).toBeUndefined();
    expect(deps.reportFailure).toHaveBeenCalledExactlyOnceWith('mitosis');
  });

  test('a payment without a signature is a failed payment', async () => {
    const { deps, run } = setUpEntry({ pay: async () => ok('') });
    deps.join.mockResolvedValue(created);
    expect(await run()).toMatchObject({
      notice: { text: 'No transaction signature received from Solana payment' },
      closesPopup: true,
    });
    expect(deps.reportFailure).toHaveBeenCalledOnce();
    expect(deps.join).toHaveBeenCalledOnce();
  });

  test('any other payment failure frees the seat and closes the popup', async () => {
    const { deps, run } = setUpEntry({
      pay: async () => err({ title: 'Payment Failed', text: 'x', isCancelled: false }),
    });
    deps.join.mockResolvedValue(created);
    expect(await run()).toMatchObject({ kind: 'refused', closesPopup: true });
    expect(deps.reportFailure).toHaveBeenCalledOnce();
  });

  test('frees the seat if the wallet could not be asked at all', async () => {
    const { deps, run } = setUpEntry({
      pay: () => Promise.reject(new TypeError('Importing a module failed')),
    });
    deps.join.mockResolvedValue(created);
    expect(await run()).toMatchObject({
      notice: { title: 'Payment Failed', text: 'Payment failed. Please try again.' },
    });
    expect(deps.reportFailure).toHaveBeenCalledOnce();
  });

  test('retries the claim with the same signature while the server cannot be reached', async () => {
    const { deps, run } = setUpEntry();
    deps.join
      .mockResolvedValueOnce(created)
      .mockResolvedValueOnce(noNetwork)
      .mockResolvedValueOnce(badGateway)
      .mockResolvedValueOnce(ticket);
    expect(await run()).toMatchObject({ kind: 'play' });
    expect(deps.pay).toHaveBeenCalledOnce();
    expect(deps.join.mock.calls.slice(1).every(([body]) => body.transactionHash === 'SIGNATURE')).toBe(true);
  });

  test('gives up the claim after eight unanswered attempts without reporting the payment as failed', async () => {
    const { deps, run } = setUpEntry();
    deps.join.mockResolvedValueOnce(created).mockResolvedValue(noNetwork);
    expect(await run()).toMatchObject({ kind: 'refused', notice: { text: 'Network Error' } });
    expect(deps.join).toHaveBeenCalledTimes(9);
    expect(deps.reportFailure).not.toHaveBeenCalled();
  });

  test('does not retry a claim that the server refused, and forgets it', async () => {
    const { deps, run } = setUpEntry();
    deps.join.mockResolvedValueOnce(created).mockResolvedValueOnce(refused('DUPLICATE_TRANSACTION'));
    expect(await run()).toMatchObject({ kind: 'refused', closesPopup: true });
    expect(deps.join).toHaveBeenCalledTimes(2);
    expect(deps.unclaimed.read('mitosis')).toBeUndefined();
  });

  test('reports an unexpected status by name', async () => {
    const { deps, run } = setUpEntry();
    deps.join.mockResolvedValueOnce(created).mockResolvedValueOnce(created);
    expect(await run()).toMatchObject({ notice: { text: 'Unexpected status: created' } });
  });
});

describe('payment verification', () => {
  test.each([
    ['payment_timeout', 'timedOut', 'Payment session timed out'],
    ['payment_failed', 'failed', 'Payment verification failed'],
  ] as const)('%s shows its text for a second, then closes the popup', async (status, step, text) => {
    const { deps, run, progress } = setUpEntry();
    deps.join.mockResolvedValue(processing);
    deps.readStatus.mockResolvedValue(ok({ status, errorDetails: { error: 'X', message: '' } }));
    expect(await run()).toMatchObject({ notice: { text }, closesPopup: true });
    expect(progress.at(-1)).toEqual({ step });
    expect(deps.sleep.mock.calls.flat()).toEqual([1_000]);
  });

  test('says so when another window has taken the seat', async () => {
    const { deps, run, steps } = setUpEntry();
    deps.join.mockResolvedValue(processing);
    const errorDetails = { error: 'ACTIVE_SESSION_EXISTS', message: '' };
    deps.readStatus.mockResolvedValue(ok({ status: 'payment_failed', errorDetails }));
    expect(await run()).toMatchObject({
      notice: { title: 'Multiple Session Detected', text: 'You are already in a game.' },
      closesPopup: true,
    });
    expect(steps()).not.toContain('failed');
  });

  test('keeps polling while the address is rate limited', async () => {
    const { deps, run } = setUpEntry();
    deps.join.mockResolvedValueOnce(created).mockResolvedValueOnce(crowded).mockResolvedValue(processing);
    deps.readStatus.mockResolvedValueOnce(crowded);
    deps.readStatus.mockResolvedValue(ok({ status: 'ticketSent', joinTicket: 'ticket' }));
    expect(await run()).toMatchObject({ kind: 'play' });
  });

  test('keeps polling through network failures and gives up after 180 attempts', async () => {
    const { deps, run } = setUpEntry();
    deps.join.mockResolvedValue(processing);
    deps.readStatus.mockResolvedValue(noNetwork);
    expect(await run()).toMatchObject({ notice: { text: 'Payment polling timeout' }, closesPopup: true });
    expect(deps.readStatus).toHaveBeenCalledTimes(180);
    expect(deps.awaitNews).toHaveBeenCalledTimes(179);
  });
});

describe('a semi-private lobby', () => {
  const clot = aLobby({ id: 'clot', lobbyType: 'semi-private' });

  test('checks the code first and takes no seat with a wrong one', async () => {
    const { deps, run } = setUpEntry();
    deps.checkCode.mockResolvedValue(ok({ valid: false, message: '' }));
    expect(await run(clot, 'NOPE')).toMatchObject({ isCodeWrong: true, closesPopup: false });
    expect(deps.join).not.toHaveBeenCalled();
  });

  test('sends the code with both join calls', async () => {
    const { deps, run } = setUpEntry();
    deps.join.mockResolvedValueOnce(created).mockResolvedValueOnce(ticket);
    await run(clot, 'CLOT');
    expect(deps.join.mock.calls.map(([body]) => body.lobbyCode)).toEqual(['CLOT', 'CLOT']);
  });
});

describe('playing again', () => {
  test('goes straight into a free lobby', async () => {
    const { deps } = setUpEntry();
    deps.join.mockResolvedValue(ticket);
    expect(await enterAgain(aLobby(FREE), deps)).toBe('ticket');
  });

  test('leaves what costs money, and what is refused, to the popup', async () => {
    const { deps } = setUpEntry();
    settings.write('lobby', 'another');
    expect(await enterAgain(aLobby(), deps)).toBeUndefined();
    expect(settings.read('lobby')).toBe(aLobby().id);
    expect(deps.join).not.toHaveBeenCalled();
    deps.join.mockResolvedValue(refused('LOBBY_FULL'));
    expect(await enterAgain(aLobby(FREE), deps)).toBeUndefined();
  });
});
