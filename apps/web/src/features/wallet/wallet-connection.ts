import type { PublicConfig } from '@engulf/protocol/http/config';
import type { User } from '@engulf/protocol/user';
import { signOut, signOutEverywhere } from '@engulf/protocol/user';
import {
  StandardDisconnect,
  type StandardDisconnectFeature,
  StandardEvents,
  type StandardEventsFeature,
} from '@wallet-standard/features';
import { useEffect } from 'react';
import { callApi } from '../../shared/api/call-api.ts';
import { entryRecord, PAYMENT_ITEMS, SEAT_ITEMS } from '../../shared/entry-record.ts';
import { settings } from '../../shared/settings.ts';
import { solanaChain, useWalletStore } from '../../shared/stores/wallet-store.ts';
import { reconnectSilently } from './sign-in.ts';
import { findWallet } from './wallet-list.ts';

/** Extensions announce themselves after the page has loaded. */
const WALLET_APPEARS_WITHIN_MS = 3_000;
const DISCONNECT_TIMEOUT_MS = 2_000;

/** After a reload the player is still signed in: reconnects the wallet they used, without a prompt. */
export function useWalletRestore(config: PublicConfig, user: User | null | undefined): void {
  useEffect(() => {
    offerBurnerWallet(config);
  }, [config]);

  const isSignedIn = Boolean(user);
  useEffect(() => {
    const name = settings.read('walletName');
    if (!isSignedIn || name === undefined || useWalletStore.getState().connected) return;
    let isWanted = true;
    const end = () => useWalletStore.setState({ isRestoring: false });
    // Also if the wallet is there but does not answer.
    const timer = setTimeout(end, WALLET_APPEARS_WITHIN_MS);
    useWalletStore.setState({ isRestoring: true });
    void findWallet(name, solanaChain(config), WALLET_APPEARS_WITHIN_MS).then(async (wallet) => {
      const account = wallet && (await reconnectSilently(wallet).catch(() => undefined));
      if (!isWanted) return;
      if (wallet && account) useWalletStore.getState().setConnected({ wallet, account });
      end();
    });
    return () => {
      isWanted = false;
      clearTimeout(timer);
      end();
    };
  }, [config, isSignedIn]);

  useFollowAccount();
}

/** Follows the player to another account of the wallet, so that a payment from the wrong one is refused. */
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

/** A wallet is connected in this browser, or is being reconnected after a reload. */
export function isWalletKnown(): boolean {
  return useWalletStore.getState().connected !== undefined || settings.read('walletName') !== undefined;
}

/** Signs out, here or everywhere, and disconnects the wallet. If the wallet does not answer in time, the page reloads. */
export async function disconnectWallet(isEverywhere = false): Promise<void> {
  const { connected, setConnected } = useWalletStore.getState();
  await callApi(isEverywhere ? signOutEverywhere : signOut, {});
  settings.reset('walletName');
  entryRecord.remove(...PAYMENT_ITEMS, ...SEAT_ITEMS);
  setConnected(undefined);
  const feature = (connected?.wallet.features as Partial<StandardDisconnectFeature> | undefined)?.[
    StandardDisconnect
  ];
  if (!feature) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), DISCONNECT_TIMEOUT_MS);
  });
  const outcome = await Promise.race([feature.disconnect().catch(() => undefined), timeout]);
  clearTimeout(timer);
  if (outcome === 'timeout') window.location.reload();
}

let isBurnerRegistered = false;

/**
 * Registers the burner wallet where the server offers it. The outer condition is resolved at build time: other builds
 * do not contain the wallet at all.
 */
function offerBurnerWallet(config: PublicConfig): void {
  if (import.meta.env.DEV || import.meta.env.VITE_BURNER_WALLET === '1') {
    if (!config.isBurnerWalletOffered || isBurnerRegistered) return;
    isBurnerRegistered = true;
    void import('./burner-wallet.ts').then(({ registerBurnerWallet, fundBurner }) =>
      registerBurnerWallet(settings, (wallet) => fundBurner(config, wallet)),
    );
  }
}
