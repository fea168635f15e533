import { signOut } from '@engulf/protocol/http/auth';
import type { PublicConfig } from '@engulf/protocol/http/config';
import type { User } from '@engulf/protocol/user';
import {
  StandardDisconnect,
  type StandardDisconnectFeature,
  StandardEvents,
  type StandardEventsFeature,
} from '@wallet-standard/features';
import { useEffect } from 'react';
import { callApi } from '../../shared/api/call-api.ts';
import { MENU_TIMING } from '../../shared/menu-timing.ts';
import { storage } from '../../shared/storage.ts';
import { solanaChain, useWalletStore } from '../../shared/stores/wallet-store.ts';
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

/** Ends the session and lets go of the wallet. A wallet that does not answer in time is shaken off by a reload. */
export async function disconnectWallet(): Promise<void> {
  const { connected, setConnected } = useWalletStore.getState();
  await callApi(signOut, {});
  storage.remove('walletName', 'txSignature', 'paymentSessionId', 'joinTicket', 'lobbyId', 'sessionId');
  setConnected(undefined);
  const feature = (connected?.wallet.features as Partial<StandardDisconnectFeature> | undefined)?.[
    StandardDisconnect
  ];
  if (!feature) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), MENU_TIMING.walletDisconnectTimeoutMs);
  });
  const outcome = await Promise.race([feature.disconnect().catch(() => undefined), tooLate]);
  clearTimeout(timer);
  if (outcome === 'late') window.location.reload();
}

let offered: Promise<void> | undefined;

/**
 * Puts the burner wallet among the browser's wallets where the server offers it. The condition is decided when the
 * page is built: other builds do not contain the wallet at all.
 */
export function offerBurnerWallet(config: PublicConfig): Promise<void> {
  if (import.meta.env.DEV || import.meta.env.VITE_BURNER_WALLET === '1') {
    if (config.isBurnerWalletOffered) {
      offered ??= import('./burner-wallet.ts').then(({ registerBurnerWallet, fundBurner }) =>
        registerBurnerWallet(storage, (wallet) => fundBurner(config, wallet)),
      );
      return offered;
    }
  }
  return Promise.resolve();
}
