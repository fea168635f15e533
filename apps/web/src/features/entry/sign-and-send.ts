import {
  signature as asSignature,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type Rpc,
  type SendTransactionApi,
  type Signature,
} from '@solana/kit';
import {
  SolanaSignAndSendTransaction,
  type SolanaSignAndSendTransactionFeature,
  SolanaSignTransaction,
  type SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import type { IdentifierString } from '@wallet-standard/base';
import type { ConnectedWallet } from '../../shared/stores/wallet-store.ts';

export const JOIN_TRANSACTION = { commitment: 'finalized', maxRetries: 3 } as const;

type Order = {
  readonly rpc: Rpc<SendTransactionApi>;
  readonly connected: ConnectedWallet;
  /** The wire form, not signed yet. */
  readonly transaction: Uint8Array;
  readonly chain: IdentifierString;
  readonly onSigned: (signature: string) => void;
};

/**
 * Has the wallet sign and sends the result to our own node. A wallet that only signs and sends in one go uses the
 * node it prefers, so that is the second choice. Wallets may add instructions of their own: the signature is always
 * read from what they give back.
 */
export async function signAndSend(order: Order): Promise<Signature> {
  const { rpc, connected, transaction, chain, onSigned } = order;
  const { wallet, account } = connected;
  const features = wallet.features as Partial<
    SolanaSignTransactionFeature & SolanaSignAndSendTransactionFeature
  >;
  const signing = features[SolanaSignTransaction];
  if (signing) {
    const [answer] = await signing.signTransaction({ account, transaction, chain });
    const signed = getTransactionDecoder().decode(answer!.signedTransaction);
    const signature = getSignatureFromTransaction(signed);
    onSigned(signature);
    await rpc
      .sendTransaction(getBase64EncodedWireTransaction(signed), {
        encoding: 'base64',
        preflightCommitment: 'confirmed',
        maxRetries: BigInt(JOIN_TRANSACTION.maxRetries),
      })
      .send();
    return signature;
  }
  const sending = features[SolanaSignAndSendTransaction];
  if (!sending) throw new Error('the wallet list holds only wallets that can pay');
  const [answer] = await sending.signAndSendTransaction({
    account,
    transaction,
    chain,
    options: { preflightCommitment: 'confirmed', maxRetries: JOIN_TRANSACTION.maxRetries },
  });
  const signature = asSignature(getBase58Decoder().decode(answer!.signature));
  onSigned(signature);
  return signature;
}
