// @vitest-environment happy-dom
import { err } from '@engulf/domain/errors/result';
import type { PublicConfig } from '@engulf/protocol/http/config';
import type { Lobby } from '@engulf/protocol/lobby';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OpenPayment } from '../../shared/entry-record.ts';
import { measureWays } from '../../shared/ways.ts';
import { aLobby, aUser, FREE } from '../../testing/fixtures.ts';
import { button, press, render, typeInto, unmount } from '../../testing/page.ts';
import { EntryPopup } from './entry-popup.tsx';
import { payEntry } from './pay-entry.ts';

vi.mock('./pay-entry.ts', () => ({ payEntry: vi.fn() }));

const fetchMock = vi.fn<typeof fetch>();
const outcomes = {
  onClose: vi.fn(),
  onPlay: vi.fn(),
  onConflict: vi.fn(),
  onLimits: vi.fn(),
  onGather: vi.fn(),
};
const seat = { sessionId: 's1', lobbyId: 'l', entryFee: '100000000', message: '', shouldPoll: false };
const ticket = 'T'.repeat(43);

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock);
  HTMLImageElement.prototype.decode = () => Promise.reject(new Error('no pictures here'));
});

afterEach(() => {
  vi.clearAllMocks();
  localStorage.clear();
});

async function open(lobby: Lobby, openPayment?: OpenPayment, isRemoved = false, invitedWith?: string) {
  const config = { prices: { usdMicro: {} }, platformFeeBasisPoints: 500 } as PublicConfig;
  const keyHints = [{ keyName: 'W', label: 'Eject mass' }];
  await render(
    <EntryPopup
      lobby={lobby}
      isRemoved={isRemoved}
      invitedWith={invitedWith}
      user={aUser()}
      config={config}
      openPayment={openPayment}
      keyHints={keyHints}
      {...outcomes}
    />,
  );
}

const calls = () => fetchMock.mock.calls.map(([path]) => String(path).split('/').at(-1));

describe('the entry popup', () => {
  test('warns of a lobby for money that is far away, and still lets the player pay', async () => {
    const lobby = aLobby({ region: 'ap-south' });
    const warning = () => document.querySelector('[role="alert"]')?.textContent;
    await measureWays(
      [lobby],
      () => '',
      async () => 249,
    );
    await open(lobby);
    expect(warning()).toBeUndefined();
    await unmount();
    const far = aLobby({ region: 'sa-east' });
    await measureWays(
      [far],
      () => '',
      async () => 250,
    );
    await open(far);
    expect(warning()).toContain('250 ms away');
    expect(button('Pay & Play')).toHaveProperty('disabled', false);
    await unmount();
    await open(aLobby({ ...FREE, region: 'sa-east' }));
    expect(warning()).toBeUndefined();
  });

  test('enters a free lobby with one press', async () => {
    fetchMock.mockImplementation(async () =>
      Response.json({ ...seat, status: 'ticketSent', joinTicket: ticket }),
    );
    await open(aLobby(FREE));
    await press('Play Now');
    expect(outcomes.onPlay).toHaveBeenCalledExactlyOnceWith(ticket);
    expect(payEntry).not.toHaveBeenCalled();
  });

  test('the keyboard is at the main button of a free lobby, and never at one that pays', async () => {
    await open(aLobby(FREE));
    expect(document.activeElement).toBe(button('Play Now'));
    await unmount();
    await open(aLobby());
    expect(document.activeElement).toBe(button('Cancel'));
  });

  test('waits by itself for the seat of a payment that is being verified', async () => {
    fetchMock.mockImplementation(async () => Response.json({ status: 'ticketSent', joinTicket: ticket }));
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    await open(aLobby(), { sessionId: 's1', lobbyId: 'mitosis', paymentSessionId: 'p1' });
    await act(async () => {});
    expect(calls()).toEqual(['payment-status?paymentSessionId=p1']);
    expect(timeout).toHaveBeenCalledExactlyOnceWith(6_000);
    expect(document.body.textContent).toContain('Payment verified');
    await vi.waitFor(() => expect(outcomes.onPlay).toHaveBeenCalled(), { timeout: 3_000 });
    expect(outcomes.onPlay).toHaveBeenCalledExactlyOnceWith(ticket);
  });

  test('a cancelled signature re-enables the button and keeps the popup open', async () => {
    fetchMock.mockImplementation(async (path) =>
      Response.json(
        String(path).endsWith('join-lobby') ? { ...seat, status: 'created' } : { status: 'success' },
      ),
    );
    vi.mocked(payEntry).mockImplementation(async ({ onSigned }) => {
      onSigned('SIGNATURE');
      return err({ title: 'Payment Cancelled', text: 'again', isCancelled: true });
    });
    await open(aLobby());
    await press('Pay & Play');
    await vi.waitFor(() => expect(calls()).toEqual(['join-lobby', 'payment-failure']));
    await act(async () => {});
    expect(button('Pay & Play').disabled).toBe(false);
    expect(localStorage.getItem('txSignature')).toBeNull();
    expect(outcomes.onClose).not.toHaveBeenCalled();
    await press('Cancel');
    expect(sessionStorage.getItem('sessionId')).toBeNull();
  });

  test('a payment that the wallet does not answer can be cancelled, until it is signed', async () => {
    fetchMock.mockImplementation(async (path) =>
      Response.json(
        String(path).endsWith('join-lobby') ? { ...seat, status: 'created' } : { status: 'success' },
      ),
    );
    vi.mocked(payEntry).mockImplementation(
      ({ signal }) =>
        new Promise((resolve) => {
          const refusal = { title: 'Payment Cancelled', text: 'again', isCancelled: true };
          signal!.addEventListener('abort', () => resolve(err(refusal)));
        }),
    );
    await open(aLobby());
    await press('Pay & Play');
    await vi.waitFor(() => expect(payEntry).toHaveBeenCalledOnce());
    await press('Cancel');
    await vi.waitFor(() => expect(calls()).toEqual(['join-lobby', 'payment-failure']));
    await act(async () => {});
    expect(button('Pay & Play').disabled).toBe(false);
    expect(outcomes.onClose).not.toHaveBeenCalled();

    await press('Pay & Play');
    await vi.waitFor(() => expect(payEntry).toHaveBeenCalledTimes(2));
    await act(async () => vi.mocked(payEntry).mock.lastCall![0].onSigned('SIGNATURE'));
    expect(button('Cancel').disabled).toBe(true);
  });

  test('a seat for which a dead connection brings no answer is given up after twelve seconds and can be asked for again', async () => {
    const connection = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(connection.signal);
    fetchMock.mockImplementation(
      (_, init) =>
        new Promise((_answer, giveUp) => {
          init!.signal!.addEventListener('abort', () => giveUp(connection.signal.reason));
        }),
    );
    await open(aLobby());
    await press('Pay & Play');
    expect(timeout).toHaveBeenCalledExactlyOnceWith(12_000);
    expect(button('Creating session...').disabled).toBe(true);
    await act(async () => connection.abort());
    expect(button('Pay & Play').disabled).toBe(false);
    expect(payEntry).not.toHaveBeenCalled();
    expect(outcomes.onClose).not.toHaveBeenCalled();
  });

  test('an interrupted entry can be retried', async () => {
    vi.spyOn(console, 'error').mockReturnValueOnce();
    fetchMock.mockImplementation(() => {
      throw new Error('broken');
    });
    await open(aLobby());
    await press('Pay & Play');
    expect(button('Pay & Play').disabled).toBe(false);
    expect(button('Cancel').disabled).toBe(false);
  });

  test('a refused join closes the popup if the code says so', async () => {
    fetchMock.mockImplementation(async () =>
      Response.json({ error: 'DUPLICATE_TRANSACTION', message: 'Used.' }, { status: 409 }),
    );
    await open(aLobby());
    await press('Pay & Play');
    expect(outcomes.onClose).toHaveBeenCalledOnce();
  });

  test('a conflict closes the popup, and nothing of the payment is left', async () => {
    const conflict = {
      error: 'SESSION_CONFLICT',
      message: 'Busy.',
      instruction: 'Wait.',
      sessionTTL: 9,
      sessionId: 's1',
      isPaymentSession: true,
      sessionStatus: 'payment_processing',
    };
    fetchMock.mockImplementation(async () => Response.json(conflict, { status: 409 }));
    for (const key of ['txSignature', 'paymentSessionId', 'deposit']) localStorage.setItem(key, 'old');
    await open(aLobby());
    await press('Pay & Play');
    expect(outcomes.onConflict).toHaveBeenCalledOnce();
    for (const key of ['txSignature', 'paymentSessionId', 'deposit']) {
      expect(localStorage.getItem(key)).toBeNull();
    }
  });

  test('a limit that the player set is told in the popup, with the way to it', async () => {
    const body = { error: 'DEPOSIT_LIMIT_REACHED', message: 'You allow yourself 0.2 SOL.', until: null };
    fetchMock.mockImplementation(async () => Response.json(body, { status: 403 }));
    await open(aLobby());
    await press('Pay & Play');
    expect(document.body.textContent).toContain('You allow yourself 0.2 SOL.');
    expect(button('Pay & Play')).toBeUndefined();
    await press('See your limits');
    expect(outcomes.onLimits).toHaveBeenCalledOnce();
    expect(payEntry).not.toHaveBeenCalled();
  });

  test('a lobby with only bots in it does not look empty', async () => {
    await open(aLobby({ ...FREE, currentPlayers: 0, currentBots: 14 }));
    expect(document.body.textContent).toContain('14 bots');
  });

  test('says that nobody is inside a paid lobby, and what leaving it then brings', async () => {
    await open(aLobby({ currentPlayers: 0 }));
    expect(document.body.textContent).toContain('Nobody is inside.');
    await unmount();
    await open(aLobby({ currentPlayers: 1 }));
    expect(document.body.textContent).not.toContain('Nobody is inside.');
  });

  test('shows a new price as one, and cannot be confirmed once the lobby is removed', async () => {
    await open(aLobby());
    expect(document.querySelector('[role=status]')).toBeNull();
    await open(aLobby({ entryFee: '200000000', fee: '0.2' }));
    expect(document.querySelector('[role=status]')?.textContent).toContain('The price has just changed.');
    expect(document.body.textContent).toContain('0.2');
    await open(aLobby(), undefined, true);
    expect(document.body.textContent).toContain('This lobby has been closed for good.');
    expect(button('Pay & Play').disabled).toBe(true);
  });

  test('copies an invitation, with the code that was typed, and takes one with a code', async () => {
    const writeText = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    await open(aLobby({ lobbyType: 'semi-private', dailyOpenWindows: [] }), undefined, false, 'ABC123');
    expect(document.querySelector('input')!.value).toBe('ABC123');
    expect(button('Pay & Play').disabled).toBe(false);
    const copy = document.querySelector<HTMLButtonElement>('[aria-label="Copy an invitation"]')!;
    await act(async () => copy.click());
    expect(writeText).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/\/join\/mitosis#ABC123$/));
    vi.unstubAllGlobals();
    vi.stubGlobal('fetch', fetchMock);
  });

  test('shows what the platform takes and what reaches the pool', async () => {
    await open(aLobby());
    const { entryFee } = aLobby();
    expect(BigInt(entryFee)).toBe(100_000_000n);
    expect(document.body.textContent).toContain('Into the pool0.095');
    expect(document.body.textContent).toContain('after a platform fee of 0.005 SOL (5%)');
  });

  test('shows no split in a free lobby', async () => {
    await open(aLobby(FREE));
    expect(document.body.textContent).not.toContain('Into the pool');
  });

  test('a semi-private lobby needs a code before it can be entered', async () => {
    await open(aLobby({ lobbyType: 'semi-private', dailyOpenWindows: [] }));
    expect(button('Pay & Play').disabled).toBe(true);
    const field = document.querySelector('input')!;
    // Truncating a pasted code with a leading space, or one that is too long, would turn it into another code.
    expect(field.maxLength).toBe(-1);
    for (const [code, isDisabled] of [
      ['AB', true],
      [' ABC123', false],
      ['ABC1234', true],
    ] as const) {
      await typeInto(field, code);
      expect(button('Pay & Play').disabled).toBe(isDisabled);
    }
  });
});
