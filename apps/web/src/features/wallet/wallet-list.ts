import {
  SolanaSignAndSendTransaction,
  SolanaSignIn,
  SolanaSignMessage,
  SolanaSignTransaction,
} from '@solana/wallet-standard-features';
import { getWallets } from '@wallet-standard/app';
import type { IdentifierString, Wallet } from '@wallet-standard/base';
import { StandardConnect } from '@wallet-standard/features';
import { useSyncExternalStore } from 'react';

const registry = getWallets();
let known: readonly Wallet[] = registry.get();

/** The wallets in this browser that can sign in and pay on the given chain. They may register at any time. */
export function useWallets(chain: IdentifierString): readonly Wallet[] {
  return useSyncExternalStore(subscribe, () => known).filter((wallet) => isUsable(wallet, chain));
}

/** Waits for a wallet that was used before; undefined if it does not register in time. */
export function findWallet(
  name: string,
  chain: IdentifierString,
  waitMs: number,
): Promise<Wallet | undefined> {
  const present = () => registry.get().find((wallet) => wallet.name === name && isUsable(wallet, chain));
  return new Promise((resolve) => {
    const finish = (wallet: Wallet | undefined) => {
      clearTimeout(timer);
      stop();
      resolve(wallet);
    };
    const timer = setTimeout(() => finish(undefined), waitMs);
    const stop = registry.on('register', () => {
      const wallet = present();
      if (wallet) finish(wallet);
    });
    const wallet = present();
    if (wallet) finish(wallet);
  });
}

export function isUsable(wallet: Pick<Wallet, 'features' | 'chains'>, chain: IdentifierString): boolean {
  const has = (feature: string) => Object.hasOwn(wallet.features, feature);
  return (
    // Few wallets list the local network, but they sign for it; we choose where to send.
    wallet.chains.some(
      (name) => name === chain || (chain === 'solana:localnet' && name.startsWith('solana:')),
    ) &&
    has(StandardConnect) &&
    (has(SolanaSignIn) || has(SolanaSignMessage)) &&
    (has(SolanaSignTransaction) || has(SolanaSignAndSendTransaction))
  );
}

function subscribe(notify: () => void): () => void {
  const refresh = () => {
    known = registry.get();
    notify();
  };
  refresh();
  const stops = [registry.on('register', refresh), registry.on('unregister', refresh)];
  return () => {
    for (const stop of stops) stop();
  };
}
