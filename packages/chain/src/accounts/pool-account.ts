import {
  type Address,
  decodeTransactionFromRpcResponse,
  type GetAccountInfoApi,
  getBase64Encoder,
  type Rpc,
} from '@solana/kit';
import { getTokenDecoder, getTokenSize } from '@solana-program/token';
import type { ConfirmedTransaction } from '../node/confirmed-transaction.ts';

/** The account that holds a lobby's pool. */
export type PoolAccount = {
  readonly address: Address;
  /** Lamports of a SOL lobby's account that are not part of the pool. Undefined for a token pool. */
  readonly reserveLamports: bigint | undefined;
};

/**
 * What a pool holds, read in one answer that is bound to a slot. Undefined if the node has not reached `minSlot`: an
 * older balance proves nothing about what happened since.
 */
export async function readPoolBalance(
  rpc: Rpc<GetAccountInfoApi>,
  { address, reserveLamports }: PoolAccount,
  minSlot: bigint,
): Promise<{ readonly amount: bigint; readonly slot: bigint } | undefined> {
  const { context, value } = await rpc
    .getAccountInfo(address, { commitment: 'finalized', encoding: 'base64', minContextSlot: minSlot })
    .send();
  // Some nodes ignore `minContextSlot`.
  if (context.slot < minSlot) return undefined;
  const { slot } = context;
  if (!value) return { amount: 0n, slot };
  if (reserveLamports !== undefined) return { amount: aboveReserve(value.lamports, reserveLamports), slot };
  const data = getBase64Encoder().encode(value.data[0]);
  return { amount: data.length < getTokenSize() ? 0n : getTokenDecoder().decode(data).amount, slot };
}

/** By how much a transaction changed a pool. Undefined if the answer does not tell. */
export function readPoolChange(transaction: ConfirmedTransaction, pool: PoolAccount): bigint | undefined {
  const { meta } = transaction;
  if (!meta) return undefined;
  if (meta.err) return 0n;
  const { compiledMessage, loadedAddresses } = decodeTransactionFromRpcResponse(transaction);
  const keys = [
    ...compiledMessage.staticAccounts,
    ...(loadedAddresses?.writable ?? []),
    ...(loadedAddresses?.readonly ?? []),
  ];
  const index = keys.indexOf(pool.address);
  if (index === -1) return 0n;
  return pool.reserveLamports === undefined
    ? tokenChange(meta, index)
    : lamportsChange(meta, index, pool.reserveLamports);
}

type Meta = NonNullable<ConfirmedTransaction['meta']>;

/** The transaction that creates the account brings its reserve, which is not part of the pool. */
function lamportsChange(meta: Meta, index: number, reserveLamports: bigint): bigint | undefined {
  const [before, after] = [meta.preBalances?.[index], meta.postBalances?.[index]];
  if (before === undefined || after === undefined) return undefined;
  return aboveReserve(BigInt(after), reserveLamports) - aboveReserve(BigInt(before), reserveLamports);
}

/** A lobby that was removed leaves an account without a reserve, to which anybody may send a lamport. */
function aboveReserve(lamports: bigint, reserveLamports: bigint): bigint {
  return lamports > reserveLamports ? lamports - reserveLamports : 0n;
}

function tokenChange(meta: Meta, index: number): bigint | undefined {
  if (!meta.preTokenBalances || !meta.postTokenBalances) return undefined;
  const amountIn = (balances: NonNullable<Meta['preTokenBalances']>) =>
    BigInt(balances.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount ?? 0);
  return amountIn(meta.postTokenBalances) - amountIn(meta.preTokenBalances);
}
