import { type Lobby, readLobby } from '@engulf/chain/accounts/read-configs';
import type { SignedTransaction } from '@engulf/chain/node/signed-transaction';
import { createTestLobbies, SOL_LOBBY, TOKEN_LOBBY } from '@engulf/localnet/testing/test-lobbies';
import type { TestLocalnet } from '@engulf/localnet/testing/test-localnet';
import { numberedKey, toHex } from '@engulf/sim/keys';
import { showTransaction } from './show-transaction.ts';
import type { InPool, TransactionExample } from './transaction-examples.ts';

/** A chain with a lobby in SOL and one in a token, on which examples are made. */
export type ExampleChain = Awaited<ReturnType<typeof startExampleChain>>;

/** Two matches that the memos name. Nobody has played them, so their hashes are of nothing. */
export const MATCHES = {
  first: toHex(numberedKey(21)),
  second: toHex(numberedKey(22)),
  storedHash: toHex(numberedKey(23)),
  finalHash: toHex(numberedKey(24)),
} as const;

export async function startExampleChain(chain: TestLocalnet) {
  const { rpc, net } = chain;
  const lobbies = await createTestLobbies(chain);
  const [sol, token] = (await Promise.all(
    [SOL_LOBBY, TOKEN_LOBBY].map(({ lobbyId }) => readLobby(rpc, net.programId, lobbyId)),
  )) as [Lobby, Lobby];

  async function land(signed: SignedTransaction): Promise<Pick<TransactionExample, 'signature' | 'answer'>> {
    await lobbies.finalize(signed);
    const { signature } = signed;
    return { signature, answer: await showTransaction(net.rpcUrl, signature) };
  }
  const inPool = (lobby: Lobby): Pick<InPool, 'lobby' | 'mint'> => ({
    lobby: lobby.address,
    mint: lobby.isSolLobby ? null : lobby.tokenMint,
  });
  return { chain, rpc, net, lobbies, sol, token, land, inPool };
}
