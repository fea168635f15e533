import { isAnswerAboutRequest } from '@engulf/chain/node/node-errors';
import { ERRORS } from '@engulf/domain/errors/registry';
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
import { inTime } from '../../shared/in-time.ts';
import type { ConnectedWallet } from '../../shared/stores/wallet-store.ts';

/** How often the node sends the join transaction again by itself. */
const MAX_SEND_RETRIES = 3;

/** The life of a blockhash: what is signed later can no longer land. */
const SIGNED_WITHIN_MS = 90_000;

type SendRequest = {
  readonly rpc: Rpc<SendTransactionApi>;
  readonly connected: ConnectedWallet;
  /** In wire format, not signed yet. */
  readonly transaction: Uint8Array;
  readonly chain: IdentifierString;
  readonly onSigned: (signature: string) => void;
  /** The wallet need not answer any more. */
  readonly signal?: AbortSignal | undefined;
};

type SentTransaction = {
  readonly signature: Signature;
  /** If the answer of the node was lost: whether it has the transaction is not known. */
  readonly sendAgain?: () => Promise<unknown>;
};

/**
 * Prefers a wallet that only signs, so that we send to our own node; one that also sends picks its own. Wallets may add
 * instructions, so the signature is always read from what they return.
 */
export async function signAndSend(request: SendRequest): Promise<SentTransaction> {
  const { rpc, connected, transaction, chain, onSigned, signal } = request;
  const { wallet, account } = connected;
  const features = wallet.features as Partial<
    SolanaSignTransactionFeature & SolanaSignAndSendTransactionFeature
  >;
  const signing = features[SolanaSignTransaction];
  if (signing) {
    const [answer] = await inSigningTime(signing.signTransaction({ account, transaction, chain }), signal);
    const signed = getTransactionDecoder().decode(answer!.signedTransaction);
    const signature = getSignatureFromTransaction(signed);
    onSigned(signature);
    const wire = getBase64EncodedWireTransaction(signed);
    const options = {
      encoding: 'base64',
      preflightCommitment: 'confirmed',
      maxRetries: BigInt(MAX_SEND_RETRIES),
    } as const;
    const send = () => rpc.sendTransaction(wire, options).send();
    try {
      await send();
      return { signature };
    } catch (error) {
      if (isRefusal(error)) throw error;
      return { signature, sendAgain: send };
    }
  }
  const sending = features[SolanaSignAndSendTransaction];
  if (!sending) throw new Error('the wallet can neither sign nor send transactions');
  const options = { preflightCommitment: 'confirmed', maxRetries: MAX_SEND_RETRIES } as const;
  const [answer] = await inSigningTime(
    sending.signAndSendTransaction({ account, transaction, chain, options }),
    signal,
  );
  const signature = asSignature(getBase58Decoder().decode(answer!.signature));
  onSigned(signature);
  return { signature };
}

/** Without such an answer the node may have forwarded the transaction, whatever went wrong afterwards. */
function isRefusal(error: unknown): boolean {
  return !(error instanceof SyntaxError) && isAnswerAboutRequest(error);
}

/** A late signature is not sent. */
function inSigningTime<Answer>(answer: Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
  return inTime(unlessAborted(answer, signal), SIGNED_WITHIN_MS, ERRORS.PAYMENT_FAILED.text);
}

/** Fails with the reason of the signal. What is answered after that is dropped. */
export function unlessAborted<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  if (!signal) return answer;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  return Promise.race([answer, aborted]);
}
