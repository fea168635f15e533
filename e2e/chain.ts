import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { MAX_TRANSACTION_VERSION } from '@engulf/chain/node/read-transaction';
import { type Address, address, createSolanaRpc, type Signature } from '@solana/kit';
import type { Engulf } from './engulf.ts';

/** Reads the public chain, independently of the server. */
export function createChainReader({ rpcUrl, programId }: Engulf & { readonly programId: string }) {
  const rpc = createSolanaRpc(rpcUrl);
  const balance = async (wallet: Address) =>
    (await rpc.getBalance(wallet, { commitment: 'confirmed' }).send()).value as bigint;
  return {
    balance: (wallet: string) => balance(address(wallet)),
    /** The lamports of a SOL lobby above its rent. */
    async pool(chainLobbyId: bigint): Promise<bigint> {
      const lobby = await findLobbyConfig(address(programId), chainLobbyId);
      const { value } = await rpc
        .getAccountInfo(lobby, { encoding: 'base64', commitment: 'confirmed' })
        .send();
      if (!value) throw new Error(`The lobby ${chainLobbyId} is not on the chain`);
      const rent = await rpc.getMinimumBalanceForRentExemption(value.space).send();
      return value.lamports - rent;
    },
    /** The change a transaction made to a wallet's balance. */
    async change(signature: string, wallet: string): Promise<bigint> {
      const transaction = await rpc
        .getTransaction(signature as Signature, {
          commitment: 'confirmed',
          encoding: 'json',
          maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
        })
        .send();
      if (!transaction?.meta) throw new Error(`The transaction ${signature} is not on the chain`);
      const index = transaction.transaction.message.accountKeys.indexOf(address(wallet));
      return transaction.meta.postBalances[index]! - transaction.meta.preBalances[index]!;
    },
  };
}
