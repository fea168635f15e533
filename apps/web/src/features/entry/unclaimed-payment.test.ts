import { err, ok } from '@engulf/domain/errors/result';
import { describe, expect, test } from 'vitest';
import { createUnclaimedPayments, PAYMENT_ITEMS } from '../../shared/entry-record.ts';
import { badGateway, created, processing, refused, setUpEntry, ticket } from '../../testing/entry-run.ts';
import { aLobby } from '../../testing/fixtures.ts';

describe('a payment whose claim was not answered', () => {
  async function payUnclaimed() {
    const entry = setUpEntry();
    entry.deps.join.mockResolvedValueOnce(created).mockResolvedValue(badGateway);
    await entry.run();
    entry.deps.record.remove(...PAYMENT_ITEMS);
    entry.deps.join.mockReset();
    entry.deps.pay.mockClear();
    return entry;
  }

  test('is claimed at the next start in its lobby, and the wallet is not asked again', async () => {
    const { deps, run } = await payUnclaimed();
    deps.join.mockResolvedValueOnce(processing);
    deps.readStatus.mockResolvedValue(ok({ status: 'ticketSent', joinTicket: 'ticket' }));
    expect(await run()).toMatchObject({ kind: 'play' });
    expect(deps.join.mock.calls).toEqual([
      [{ selectedLobbyId: 'mitosis', transactionHash: 'SIGNATURE', isPaymentConfirmation: true }],
    ]);
    expect(deps.pay).not.toHaveBeenCalled();
    expect(deps.unclaimed.read('mitosis')).toBeUndefined();
  });

  test.each([badGateway, refused('RATE_LIMITED'), refused('UNAUTHENTICATED')])(
    'is kept until the server decides about it',
    async (answer) => {
      const { deps, run } = await payUnclaimed();
      deps.join.mockResolvedValue(answer);
      await run();
      expect(deps.unclaimed.read('mitosis')).toBe('SIGNATURE');
      expect(deps.pay).not.toHaveBeenCalled();
    },
  );

  test('does not stand in the way of another lobby', async () => {
    const { deps, run } = await payUnclaimed();
    deps.join.mockResolvedValueOnce(ticket);
    expect(await run(aLobby({ id: 'other' }))).toMatchObject({ kind: 'play' });
    expect(deps.join.mock.calls).toEqual([[{ selectedLobbyId: 'other' }]]);
  });

  test('belongs to the wallet that paid', async () => {
    const { storage } = await payUnclaimed();
    expect(createUnclaimedPayments(storage, 'another wallet').read('mitosis')).toBeUndefined();
  });
});

describe('a payment that failed after the wallet signed it', () => {
  test('is not claimed at the next start: the wallet is asked for another', async () => {
    const { deps, run } = setUpEntry();
    deps.pay.mockImplementationOnce(async (_, onSigned) => {
      onSigned('DEAD');
      return err({ title: 'Payment Failed', text: 'it did not land', isCancelled: false });
    });
    deps.join.mockResolvedValueOnce(created);
    expect(await run()).toMatchObject({ kind: 'refused' });
    expect(deps.unclaimed.read('mitosis')).toBeUndefined();
    deps.join.mockResolvedValueOnce(created).mockResolvedValueOnce(ticket);
    expect(await run()).toMatchObject({ kind: 'play' });
    expect(deps.pay).toHaveBeenCalledTimes(2);
    expect(deps.join.mock.calls.map(([body]) => body.transactionHash)).toEqual([
      undefined,
      undefined,
      'SIGNATURE',
    ]);
  });
});
