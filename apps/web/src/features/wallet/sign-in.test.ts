import {
  createKeyPairFromPrivateKeyBytes,
  getAddressEncoder,
  getAddressFromPublicKey,
  signBytes,
} from '@solana/kit';
import { verifyMessageSignature } from '@solana/wallet-standard-util';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { aUser } from '../../testing/fixtures.ts';
import { signInWithWallet } from './sign-in.ts';

const fetchMock = vi.fn<typeof fetch>();
vi.stubGlobal('fetch', fetchMock);
afterEach(() => fetchMock.mockReset());

const CHALLENGE = {
  domain: '127.0.0.1:3000',
  uri: 'http://127.0.0.1:3000',
  version: '1',
  chainId: 'solana:localnet',
  nonce: 'abcdefgh12345678',
  issuedAt: '2026-11-15T12:00:00.000Z',
  expirationTime: '2026-11-15T12:05:00.000Z',
  statement: 'Log in to Engulf',
};

function serve(signInAnswer: () => Response) {
  fetchMock.mockImplementation(async (path) =>
    String(path).endsWith('/nonce') ? Response.json(CHALLENGE) : signInAnswer(),
  );
}

const sentBody = () => JSON.parse(String(fetchMock.mock.calls.at(-1)![1]!.body)) as Record<string, string>;

/** An older wallet: it signs messages but lacks the sign-in feature. */
async function messageWallet(sign?: () => Promise<never>) {
  const keyPair = await createKeyPairFromPrivateKeyBytes(new Uint8Array(32).fill(5));
  const address = await getAddressFromPublicKey(keyPair.publicKey);
  const account: WalletAccount = {
    address,
    publicKey: new Uint8Array(getAddressEncoder().encode(address)),
    chains: ['solana:localnet'],
    features: [],
  };
  const wallet = {
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      'solana:signMessage': {
        version: '1.1.0',
        signMessage: async ({ message }: { message: Uint8Array }) =>
          sign
            ? sign()
            : [
                {
                  signedMessage: message,
                  signature: new Uint8Array(await signBytes(keyPair.privateKey, message)),
                },
              ],
      },
    },
  } as unknown as Wallet;
  return { wallet, account };
}

describe('signInWithWallet', () => {
  test('gives up a wallet that does not answer', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    serve(() => Response.json({ status: 'success', user: aUser() }));
    const { wallet } = await messageWallet(() => new Promise(() => {}));
    const result = signInWithWallet(wallet, () => undefined);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await result).toMatchObject({ ok: false, error: { text: 'The wallet did not connect.' } });
    expect(fetchMock).toHaveBeenCalledOnce();
  });

  test('builds the message for a wallet that only signs messages', async () => {
    serve(() => Response.json({ status: 'success', user: aUser() }));
    const { wallet, account } = await messageWallet();
    const progress: string[] = [];
    const result = await signInWithWallet(wallet, (step) => progress.push(step));
    expect(result).toMatchObject({ ok: true, value: { connected: { account }, user: { name: 'MoonYolk' } } });
    expect(progress).toEqual(['connecting', 'signing']);
    const body = sentBody();
    const message = Buffer.from(body.signedMessage!, 'base64');
    expect(message.toString()).toContain(
      `127.0.0.1:3000 wants you to sign in with your Solana account:\n${account.address}`,
    );
    expect(message.toString()).toContain('Nonce: abcdefgh12345678');
    const signature = Buffer.from(body.signature!, 'base64');
    const { publicKey } = account;
    expect(
      verifyMessageSignature({
        message: Uint8Array.from(message),
        signedMessage: Uint8Array.from(message),
        signature: Uint8Array.from(signature),
        publicKey: Uint8Array.from(publicKey),
      }),
    ).toBe(true);
  });

  test('distinguishes a cancelled signature from a wallet error', async () => {
    serve(() => Response.json({}));
    const cancelled = await messageWallet(() =>
      Promise.reject(Object.assign(new Error('x'), { code: 4001 })),
    );
    expect(await signInWithWallet(cancelled.wallet, () => {})).toMatchObject({
      error: { title: 'Sign-in cancelled' },
    });
    const broken = await messageWallet(() => Promise.reject(new Error('Wallet is locked')));
    expect(await signInWithWallet(broken.wallet, () => {})).toMatchObject({
      error: { title: 'Connection failed', text: 'Wallet is locked' },
    });
  });

  test('returns the refusal of the server', async () => {
    serve(() => Response.json({ error: 'SIGN_IN_REFUSED', message: 'Sign again.' }, { status: 401 }));
    const { wallet } = await messageWallet();
    expect(await signInWithWallet(wallet, () => {})).toEqual({
      ok: false,
      error: { title: 'Authentication Error', text: 'Sign again.' },
    });
  });
});
