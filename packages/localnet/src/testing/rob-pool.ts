import { readLobby } from '@engulf/chain/accounts/read-configs';
import { awaitFinality } from '@engulf/chain/node/await-finality';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildClaimBatch } from '@engulf/chain/payouts/claim-batch';
import type { Address, KeyPairSigner, Rpc, SolanaRpcApi } from '@solana/kit';

type Robbery = {
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly programId: Address;
  readonly superAdmin: KeyPairSigner;
  readonly chainLobbyId: bigint;
  readonly thief: Address;
  readonly amount: bigint;
};

/** What a thief with the super admin's key could do: takes money out of a pool without the books knowing. */
export async function robPool(robbery: Robbery): Promise<void> {
  const { rpc, programId, superAdmin, thief, amount } = robbery;
  const lobby = await readLobby(rpc, programId, robbery.chainLobbyId, 'finalized');
  const rewards = [{ player: thief, amount }];
  const batch = await buildClaimBatch({
    rpc,
    programId,
    lobby: lobby!,
    superAdmin,
    rewards,
    batchId: 'robbery',
  });
  const signed = await signForSending(batch.message!);
  await rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
  const fate = await awaitFinality({ rpc, ...signed, pollMs: 50 });
  if (fate.kind !== 'finalized') throw new Error(JSON.stringify(fate));
}
