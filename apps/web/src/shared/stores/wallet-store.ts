import type { PublicConfig } from '@engulf/protocol/http/config';
import type { IdentifierString, Wallet, WalletAccount } from '@wallet-standard/base';
import { create } from 'zustand';

/** The wallet that signs here, and the account the player uses in it. */
export type ConnectedWallet = { readonly wallet: Wallet; readonly account: WalletAccount };

type WalletState = {
  readonly connected: ConnectedWallet | undefined;
  setConnected: (connected: ConnectedWallet | undefined) => void;
};

/** Who is signed in, the session cookie says; this is only about what can sign in this browser. */
export const useWalletStore = create<WalletState>()((set) => ({
  connected: undefined,
  setConnected: (connected) => set({ connected }),
}));

export function solanaChain({ mode }: Pick<PublicConfig, 'mode'>): IdentifierString {
  return mode === 'embedded' ? 'solana:localnet' : 'solana:mainnet';
}
