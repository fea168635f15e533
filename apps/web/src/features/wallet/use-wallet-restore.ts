import type { PublicConfig } from '@engulf/protocol/http/config';
import type { User } from '@engulf/protocol/user';
import { StandardEvents, type StandardEventsFeature } from '@wallet-standard/features';
import { useEffect } from 'react';
import { storage } from '../../shared/storage.ts';
import { solanaChain, useWalletStore } from '../../shared/stores/wallet-store.ts';
import { offerBurnerWallet } from './offer-burner.ts';
import { reconnectSilently } from './sign-in.ts';
import { findWallet } from './wallet-list.ts';

/** Extensions announce themselves after the page has loaded. */
const WALLET_APPEARS_WITHIN_MS = 3_000;

/** After a reload the session is still open: takes up the wallet it was opened with, without asking anybody. */
export function useWalletRestore(config: PublicConfig | undefined, user: User | null | undefined): void {
  useEffect(() => {
    if (config) void offerBurnerWallet(config);
  }, [config]);

  const isSignedIn = Boolean(user);
  useEffect(() => {
    const name = storage.read('walletName');
    if (!config || !isSignedIn || name === undefined || useWalletStore.getState().connected) return;
    let isWanted = true;
    void findWallet(name, solanaChain(config), WALLET_APPEARS_WITHIN_MS).then(async (wallet) => {
      const account = wallet && (await reconnectSilently(wallet).catch(() => undefined));
      if (isWanted && wallet && account) useWalletStore.getState().setConnected({ wallet, account });
    });
    return () => {
      isWanted = false;
    };
  }, [config, isSignedIn]);

  useFollowAccount();
}

/** The player may switch accounts inside the wallet: paying then has to notice. */
function useFollowAccount(): void {
  const wallet = useWalletStore((state) => state.connected?.wallet);
  useEffect(() => {
    const feature = (wallet?.features as Partial<StandardEventsFeature> | undefined)?.[StandardEvents];
    if (!wallet || !feature) return;
    return feature.on('change', ({ accounts }) => {
      if (!accounts) return;
      const account = accounts[0];
      useWalletStore.getState().setConnected(account && { wallet, account });
    });
  }, [wallet]);
}
