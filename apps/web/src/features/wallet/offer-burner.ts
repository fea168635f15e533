import type { PublicConfig } from '@engulf/protocol/http/config';
import { storage } from '../../shared/storage.ts';

let offered: Promise<void> | undefined;

/**
 * Puts the burner wallet among the browser's wallets where the server offers it. The condition is decided when the
 * page is built: other builds do not contain the wallet at all.
 */
export function offerBurnerWallet(config: PublicConfig): Promise<void> {
  if (import.meta.env.DEV || import.meta.env.VITE_BURNER_WALLET === '1') {
    if (config.isBurnerWalletOffered) {
      offered ??= Promise.all([import('./burner-wallet.ts'), import('./burner-funds.ts')]).then(
        ([{ registerBurnerWallet }, { fundBurner }]) =>
          registerBurnerWallet(storage, (wallet) => fundBurner(config, wallet)),
      );
      return offered;
    }
  }
  return Promise.resolve();
}
