import { isWalletAddress } from '@engulf/domain/ids/entity-ids';
import type { PublicConfig } from '@engulf/protocol/http/config';
import { requestFaucet } from '@engulf/protocol/http/config';
import { address, createSolanaRpc } from '@solana/kit';
import { callApi } from '../../shared/api/call-api.ts';

/** Below this the burner asks the faucet for more: enough for a few entries into the dearest seeded lobby. */
const ENOUGH_LAMPORTS = 2_000_000_000n;

/** An empty burner is of no use, but no reason not to sign in either: free lobbies cost nothing. */
export async function fundBurner(config: PublicConfig, wallet: string): Promise<void> {
  if (!isWalletAddress(wallet)) return;
  const balance = await createSolanaRpc(config.rpcUrl)
    .getBalance(address(wallet))
    .send()
    .catch(() => undefined);
  if (balance && balance.value >= ENOUGH_LAMPORTS) return;
  const answer = await callApi(requestFaucet, { body: { wallet } });
  if (!answer.ok) console.warn('the faucet did not pay', answer.error);
}
