import { err, ok, type Result } from '@engulf/domain/errors/result';
import { isWalletAddress } from '@engulf/domain/ids/entity-ids';
import type { AnswerOf } from '@engulf/protocol/http/call';
import type { User } from '@engulf/protocol/user';
import { signIn, signInNonce } from '@engulf/protocol/user';
import {
  SolanaSignIn,
  type SolanaSignInFeature,
  SolanaSignMessage,
  type SolanaSignMessageFeature,
} from '@solana/wallet-standard-features';
import { createSignInMessage } from '@solana/wallet-standard-util';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { StandardConnect, type StandardConnectFeature } from '@wallet-standard/features';
import { callApi, describeApiFailure } from '../../shared/api/call-api.ts';
import { inTime } from '../../shared/in-time.ts';
import type { ConnectedWallet } from '../../shared/stores/wallet-store.ts';
import { TEXT } from '../../shared/text.ts';

/** A wallet that stays silent must not block the sign-in for ever. */
const SIGNED_WITHIN_MS = 120_000;

export type SignInProgress = 'connecting' | 'signing';
type Notice = { readonly title: string; readonly text: string };
type SignedIn = { readonly connected: ConnectedWallet; readonly user: User };

/** Connects the wallet, has it sign the server's challenge and signs in with it. */
export async function signInWithWallet(
  wallet: Wallet,
  report: (progress: SignInProgress) => void,
): Promise<Result<SignedIn, Notice>> {
  report('connecting');
  const challenge = await callApi(signInNonce, {});
  if (!challenge.ok) return err(describeApiFailure(challenge.error));

  let proof: Proof | undefined;
  try {
    const proving = prove(wallet, challenge.value, () => report('signing'));
    proof = await inTime(proving, SIGNED_WITHIN_MS, TEXT.wallet.connectionRefused);
  } catch (error) {
    return err(describeWalletError(error));
  }
  if (!proof || !isWalletAddress(proof.account.address)) {
    return err({ title: TEXT.wallet.connectionFailed, text: TEXT.wallet.noAccount });
  }
  const answer = await callApi(signIn, {
    body: {
      address: proof.account.address,
      signedMessage: base64(proof.signedMessage),
      signature: base64(proof.signature),
    },
  });
  if (!answer.ok) return err(describeApiFailure(answer.error));
  return ok({ connected: { wallet, account: proof.account }, user: answer.value.user });
}

/** The account the wallet gives without a prompt; undefined if it would have to ask. */
export async function reconnectSilently(wallet: Wallet): Promise<WalletAccount | undefined> {
  const { accounts } = await connectFeature(wallet).connect({ silent: true });
  return accounts[0];
}

type Challenge = AnswerOf<typeof signInNonce>;
type Proof = {
  readonly account: WalletAccount;
  readonly signedMessage: Uint8Array;
  readonly signature: Uint8Array;
};

async function prove(
  wallet: Wallet,
  challenge: Challenge,
  onSigning: () => void,
): Promise<Proof | undefined> {
  const signInFeature = (wallet.features as Partial<SolanaSignInFeature>)[SolanaSignIn];
  if (signInFeature) {
    onSigning();
    const [proof] = await signInFeature.signIn(challenge);
    return proof;
  }
  const { accounts } = await connectFeature(wallet).connect();
  const account = accounts[0];
  const messageFeature = (wallet.features as Partial<SolanaSignMessageFeature>)[SolanaSignMessage];
  if (!account || !messageFeature) return undefined;
  onSigning();
  const message = createSignInMessage({ ...challenge, address: account.address });
  const [proof] = await messageFeature.signMessage({ account, message });
  return proof && { account, ...proof };
}

function connectFeature(wallet: Wallet) {
  return (wallet.features as StandardConnectFeature)[StandardConnect];
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

const USER_REJECTED = 4001;

function describeWalletError(error: unknown): Notice {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === USER_REJECTED || /reject|cancel|denied/i.test(String(message)))
    return TEXT.wallet.signInCancelled;
  const text = typeof message === 'string' && message !== '' ? message : TEXT.wallet.connectionRefused;
  return { title: TEXT.wallet.connectionFailed, text };
}
