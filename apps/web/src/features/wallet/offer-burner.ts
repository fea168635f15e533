import { isWalletAddress } from '@engulf/domain/ids';
import type { PublicConfig } from '@engulf/protocol/http/config';
import { requestFaucet } from '@engulf/protocol/http/faucet';
import { address, createSolanaRpc } from '@solana/kit';
import { callApi } from '../../api/call-api.ts';
import { storage } from '../../storage.ts';

/** Below this the burner asks the faucet for more: enough for a dozen entries. */
const ENOUGH_LAMPORTS = 2_000_000_000n;

let offered: Promise<void> | undefined;

/**
 * Puts the burner wallet among the browser's wallets where the server offers it. The condition is decided when the
 * page is built: other builds do not contain the wallet at all.
 */
export function offerBurnerWallet(config: PublicConfig): Promise<void> {
  if (import.meta.env.DEV || import.meta.env.VITE_BURNER_WALLET === '1') {
    if (config.isBurnerWalletOffered) {
      offered ??= import('./burner-wallet.ts').then(({ registerBurnerWallet }) =>
        registerBurnerWallet(storage, (wallet) => fund(config, wallet)),
      );
      return offered;
    }
  }
  return Promise.resolve();
}

/** An empty burner is of no use, but no reason not to sign in either: free lobbies cost nothing. */
async function fund(config: PublicConfig, wallet: string): Promise<void> {
  if (!isWalletAddress(wallet)) return;
  const balance = await createSolanaRpc(config.rpcUrl)
    .getBalance(address(wallet))
    .send()
    .catch(() => undefined);
  if (balance && balance.value >= ENOUGH_LAMPORTS) return;
  const answer = await callApi(requestFaucet, { body: { wallet } });
  if (!answer.ok) console.warn('the faucet did not pay', answer.error);
}
