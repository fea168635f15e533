import { isWalletAddress } from '@engulf/domain/ids/entity-ids';
import type { PublicConfig } from '@engulf/protocol/http/config';
import { requestFaucet } from '@engulf/protocol/http/config';
import {
  address,
  createKeyPairFromPrivateKeyBytes,
  createSolanaRpc,
  getAddressEncoder,
  getAddressFromPublicKey,
  getBase16Decoder,
  getBase16Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
  signBytes,
} from '@solana/kit';
import type {
  SolanaSignInFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import { createSignInMessage } from '@solana/wallet-standard-util';
import type { IdentifierArray, Wallet, WalletAccount } from '@wallet-standard/base';
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
  StandardEventsListeners,
} from '@wallet-standard/features';
import { registerWallet } from '@wallet-standard/wallet';
import { callApi } from '../../shared/api/call-api.ts';
import type { Settings } from '../../shared/settings.ts';

const CHAINS: IdentifierArray = ['solana:localnet'];
const VERSION = '1.0.0';

/** A flame on orange. */
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA2NCA2NCI+PHJlY3Qgd2lkdGg9IjY0IiBoZWlnaHQ9IjY0IiByeD0iMTgiIGZpbGw9IiNGRjkzMzAiLz48cGF0aCBkPSJNMzMgMTBjOSA5IDE1IDE1IDE1IDI1YTE2IDE2IDAgMCAxLTMyIDBjMC02IDMtMTAgNy0xNCAwIDUgMiA4IDUgOSAxLTggMS0xMyA1LTIweiIgZmlsbD0iIzI0MTAwMCIvPjwvc3ZnPg==';

type Connected = StandardEventsListeners['change'];

/**
 * A wallet for the embedded chain and for tests. Its key is stored in plain text and it signs without asking. It is
 * listed like any wallet extension, and never part of a production build.
 */
export async function registerBurnerWallet(
  settings: Pick<Settings, 'read' | 'write'>,
  fund: (address: string) => Promise<void>,
): Promise<void> {
  const keyPair = await createKeyPairFromPrivateKeyBytes(loadSeed(settings));
  const address = await getAddressFromPublicKey(keyPair.publicKey);
  const account: WalletAccount = Object.freeze({
    address,
    publicKey: new Uint8Array(getAddressEncoder().encode(address)),
    chains: CHAINS,
    features: ['solana:signTransaction', 'solana:signMessage', 'solana:signIn'] as const,
  });
  const sign = async (message: Uint8Array) => new Uint8Array(await signBytes(keyPair.privateKey, message));
  const listeners = new Set<Connected>();
  let accounts: readonly WalletAccount[] = [];

  const setAccounts = (next: readonly WalletAccount[]) => {
    accounts = next;
    for (const listener of listeners) listener({ accounts });
  };
  const connect = async () => {
    if (accounts.length === 0) {
      await fund(address);
      setAccounts([account]);
    }
    return { accounts };
  };

  const features: StandardConnectFeature &
    StandardDisconnectFeature &
    StandardEventsFeature &
    SolanaSignTransactionFeature &
    SolanaSignMessageFeature &
    SolanaSignInFeature = {
    'standard:connect': { version: VERSION, connect },
    'standard:disconnect': { version: VERSION, disconnect: async () => setAccounts([]) },
    'standard:events': {
      version: VERSION,
      on: (_event, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    'solana:signTransaction': {
      version: VERSION,
      supportedTransactionVersions: ['legacy', 0],
      signTransaction: (...inputs) =>
        Promise.all(
          inputs.map(async ({ transaction }) => {
            const signed = await partiallySignTransaction(
              [keyPair],
              getTransactionDecoder().decode(transaction),
            );
            return { signedTransaction: new Uint8Array(getTransactionEncoder().encode(signed)) };
          }),
        ),
    },
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: (...inputs) =>
        Promise.all(
          inputs.map(async ({ message }) => ({ signedMessage: message, signature: await sign(message) })),
        ),
    },
    'solana:signIn': {
      version: VERSION,
      signIn: (...inputs) =>
        Promise.all(
          inputs.map(async (input) => {
            await connect();
            const domain = input.domain ?? window.location.host;
            const signedMessage = createSignInMessage({ ...input, domain, address });
            return { account, signedMessage, signature: await sign(signedMessage) };
          }),
        ),
    },
  };
  const wallet: Wallet = {
    version: VERSION,
    name: 'Burner (test only)',
    icon: ICON,
    chains: CHAINS,
    get accounts() {
      return accounts;
    },
    features,
  };
  registerWallet(wallet);
}

function loadSeed(settings: Pick<Settings, 'read' | 'write'>): Uint8Array {
  const stored = settings.read('burnerSeed');
  if (stored !== undefined) return new Uint8Array(getBase16Encoder().encode(stored));
  const seed = crypto.getRandomValues(new Uint8Array(32));
  settings.write('burnerSeed', getBase16Decoder().decode(seed));
  return seed;
}

/** Pays for a few entries into the most expensive seeded lobby. */
const ENOUGH_LAMPORTS = 2_000_000_000n;

/** Tops the burner up from the faucet. A failure does not stop the sign-in: free lobbies need no money. */
export async function fundBurner(config: PublicConfig, wallet: string): Promise<void> {
  if (!isWalletAddress(wallet)) return;
  const balance = await createSolanaRpc(config.rpcUrl)
    .getBalance(address(wallet))
    .send()
    .catch(() => undefined);
  if (balance && balance.value >= ENOUGH_LAMPORTS) return;
  const answer = await callApi(requestFaucet, { body: { wallet } });
  if (!answer.ok) console.warn('faucet request failed', answer.error);
}
