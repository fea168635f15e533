import {
  type Base64EncodedWireTransaction,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Signature,
  signTransactionMessageWithSigners,
  type TransactionMessage,
  type TransactionMessageWithBlockhashLifetime,
  type TransactionMessageWithFeePayer,
} from '@solana/kit';

/** What to store before sending, to look up its fate later. */
export type SignedTransaction = {
  readonly signature: Signature;
  readonly wire: Base64EncodedWireTransaction;
  readonly lastValidBlockHeight: bigint;
};

export async function signForSending(
  message: TransactionMessage & TransactionMessageWithFeePayer & TransactionMessageWithBlockhashLifetime,
): Promise<SignedTransaction> {
  const transaction = await signTransactionMessageWithSigners(message);
  return {
    signature: getSignatureFromTransaction(transaction),
    wire: getBase64EncodedWireTransaction(transaction),
    lastValidBlockHeight: message.lifetimeConstraint.lastValidBlockHeight,
  };
}
