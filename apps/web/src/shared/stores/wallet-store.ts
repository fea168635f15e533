import type { PublicConfig } from '@engulf/protocol/http/config';
import type { IdentifierString, Wallet, WalletAccount } from '@wallet-standard/base';
import { create } from 'zustand';

/** The wallet that signs in this browser, and the account used in it. */
export type ConnectedWallet = { readonly wallet: Wallet; readonly account: WalletAccount };

type WalletState = {
  readonly connected: ConnectedWallet | undefined;
  /** The wallet of an earlier visit is being connected again. */
  readonly isRestoring: boolean;
  setConnected: (connected: ConnectedWallet | undefined) => void;
};

/** The session cookie decides who is signed in; this store only holds what can sign here. */
export const useWalletStore = create<WalletState>()((set) => ({
  connected: undefined,
  isRestoring: false,
  setConnected: (connected) => set({ connected }),
}));

export function solanaChain({ mode }: Pick<PublicConfig, 'mode'>): IdentifierString {
  return mode === 'embedded' ? 'solana:localnet' : 'solana:mainnet';
}
