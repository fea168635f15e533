import { SolanaSignMessage, type SolanaSignMessageFeature } from '@solana/wallet-standard-features';
import { inTime } from '../../shared/in-time.ts';
import type { ConnectedWallet } from '../../shared/stores/wallet-store.ts';
import { TEXT } from '../../shared/text.ts';

const SIGNED_WITHIN_MS = 120_000;

/** The signature of a text, in base 64. Throws if the wallet does not sign it. */
export async function signText({ wallet, account }: ConnectedWallet, text: string): Promise<string> {
  const feature = (wallet.features as Partial<SolanaSignMessageFeature>)[SolanaSignMessage];
  const signing = feature?.signMessage({ account, message: new TextEncoder().encode(text) });
  const [proof] =
    (await inTime(Promise.resolve(signing), SIGNED_WITHIN_MS, TEXT.wallet.connectionRefused)) ?? [];
  if (!proof) throw new Error(TEXT.wallet.connectionRefused);
  return btoa(String.fromCharCode(...proof.signature));
}
