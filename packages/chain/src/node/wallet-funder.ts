import {
  type Address,
  type GetSignaturesForAddressApi,
  type GetTransactionApi,
  getBase58Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Rpc,
} from '@solana/kit';
import { MAX_TRANSACTION_VERSION } from './read-transaction.ts';

/** The newest transactions of a wallet that are listed to find its first one. A wallet with more is left alone. */
const MOST_LISTED = 1000;

/**
 * Who paid for the first transaction that brought a wallet money: two calls. Undefined if it cannot be told. One node is asked,
 * and its word is taken for what the transaction did: it is a hint for a person.
 */
export async function findFunder(
  rpc: Rpc<GetSignaturesForAddressApi & GetTransactionApi>,
  wallet: Address,
): Promise<Address | undefined> {
  const listed = await rpc
    .getSignaturesForAddress(wallet, { commitment: 'finalized', limit: MOST_LISTED })
    .send();
  const first = listed.at(-1);
  if (!first || listed.length >= MOST_LISTED) return undefined;
  const found = await rpc
    .getTransaction(first.signature, {
      commitment: 'finalized',
      encoding: 'base64',
      maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
    })
    .send();
  const accounts = found && accountsOf(found.transaction[0], first.signature);
  const at = accounts?.indexOf(wallet) ?? -1;
  if (at < 1) return undefined;
  const before = found?.meta?.preBalances?.[at];
  const after = found?.meta?.postBalances?.[at];
  return before !== undefined && after !== undefined && after > before ? accounts![0] : undefined;
}

/** Undefined for bytes that are not this transaction. */
function accountsOf(base64: string, signature: string): readonly Address[] | undefined {
  try {
    const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(base64));
    const [payers] = Object.values(signatures);
    if (!payers || getBase58Decoder().decode(payers) !== signature) return undefined;
    return getCompiledTransactionMessageDecoder().decode(messageBytes).staticAccounts;
  } catch {
    return undefined;
  }
}
