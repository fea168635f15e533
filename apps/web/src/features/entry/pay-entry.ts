import { awaitFinality } from '@engulf/chain/await-finality';
import { explainPaymentError } from '@engulf/chain/error-texts';
import { buildJoinTransaction } from '@engulf/chain/join-transaction';
import { describeFailure, ERRORS, type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { PublicConfig } from '@engulf/protocol/http/config';
import { SIGNATURE_ALREADY_PROCESSED } from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import {
  address,
  signature as asSignature,
  compileTransaction,
  createNoopSigner,
  createSolanaRpc,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getSolanaErrorFromTransactionError,
  getTransactionDecoder,
  getTransactionEncoder,
  type Rpc,
  type SendTransactionApi,
  type Signature,
  type SimulateTransactionApi,
  type Transaction,
} from '@solana/kit';
import {
  SolanaSignAndSendTransaction,
  type SolanaSignAndSendTransactionFeature,
  SolanaSignTransaction,
  type SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import type { IdentifierString } from '@wallet-standard/base';
import { type ConnectedWallet, solanaChain } from '../../shared/stores/wallet-store.ts';
import type { PaymentRefusal } from './entry-flow.ts';

/** How often the node sends the join transaction again by itself. */
const MAX_SEND_RETRIES = 3;

/** The chain of the embedded mode is ours, so it may be asked more often than a public node. */
const EMBEDDED_POLL_MS = 150;

type Payment = {
  readonly config: PublicConfig;
  /** Undefined when no wallet is connected in this browser, even if the player is signed in. */
  readonly connected: ConnectedWallet | undefined;
  /** The wallet that signed in; only its payment is accepted. */
  readonly payer: string;
  readonly lobby: Lobby;
  readonly onSigned: (signature: string) => void;
};

/** Pays the entry on chain, waits until the payment is final and returns its signature. */
export async function payEntry(payment: Payment): Promise<Result<string, PaymentRefusal>> {
  try {
    return await pay(payment);
  } catch (error) {
    const { failure: cause, title, text } = explainPaymentError(error);
    if (cause.code === 'TRANSACTION_ALREADY_PROCESSED') return ok(SIGNATURE_ALREADY_PROCESSED);
    const isCancelled = cause.code === 'PAYMENT_CANCELLED';
    return err({ title: isCancelled ? title : ERRORS.PAYMENT_FAILED.title, text, isCancelled });
  }
}

async function pay({
  config,
  connected,
  payer,
  lobby,
  onSigned,
}: Payment): Promise<Result<string, PaymentRefusal>> {
  if (!connected) return refusedBy(failure('WALLET_NOT_CONNECTED'));
  if (connected.account.address !== payer) return refusedBy(failure('WALLET_ADDRESS_MISMATCH'));
  if (lobby.lobbyId === null) return refusedBy(failure('LOBBY_NOT_FOUND'));

  const rpc = createSolanaRpc(config.rpcUrl);
  const message = await buildJoinTransaction({
    rpc,
    programId: address(config.programId),
    lobbyId: BigInt(lobby.lobbyId),
    player: createNoopSigner(address(payer)),
    entryFee: BigInt(lobby.entryFee),
    // What the popup showed: a chain that says otherwise is refused before the wallet is asked.
    treasury: address(config.treasury),
    platformFeeBasisPoints: config.platformFeeBasisPoints,
  });
  if (!message.ok) return refusedBy(message.error);

  const unsigned = compileTransaction(message.value);
  await simulate(rpc, unsigned);
  const transaction = new Uint8Array(getTransactionEncoder().encode(unsigned));
  const signature: Signature = await signAndSend({
    rpc,
    connected,
    transaction,
    chain: solanaChain(config),
    onSigned,
  });
  const fate = await awaitFinality({
    rpc,
    signature,
    lastValidBlockHeight: message.value.lifetimeConstraint.lastValidBlockHeight,
    ...(config.mode === 'embedded' && { pollMs: EMBEDDED_POLL_MS }),
  });
  if (fate.kind === 'finalized') return ok(signature);
  if (fate.kind === 'failed') return refusedBy(failure('TRANSACTION_FAILED', { reason: fate.reason }));
  return refusedBy(failure('BLOCKHASH_NOT_FOUND'));
}

function refusedBy(refusal: Failure): Result<never, PaymentRefusal> {
  const { text } = describeFailure(refusal);
  return err({ title: ERRORS.PAYMENT_FAILED.title, text, isCancelled: false });
}

/** Throws what a node would say to the transaction. Nobody should sign what is bound to fail. */
async function simulate(rpc: Rpc<SimulateTransactionApi>, unsigned: Transaction): Promise<void> {
  const wire = getBase64EncodedWireTransaction(unsigned);
  const { value } = await rpc
    .simulateTransaction(wire, { encoding: 'base64', sigVerify: false, commitment: 'confirmed' })
    .send();
  if (value.err === null) return;
  throw new Error(['Transaction simulation failed', ...(value.logs ?? [])].join('\n'), {
    cause: getSolanaErrorFromTransactionError(value.err),
  });
}

type SendRequest = {
  readonly rpc: Rpc<SendTransactionApi>;
  readonly connected: ConnectedWallet;
  /** In wire format, not signed yet. */
  readonly transaction: Uint8Array;
  readonly chain: IdentifierString;
  readonly onSigned: (signature: string) => void;
};

/**
 * Prefers a wallet that only signs, so that we send to our own node; one that also sends picks its own. Wallets may add
 * instructions, so the signature is always read from what they return.
 */
async function signAndSend(request: SendRequest): Promise<Signature> {
  const { rpc, connected, transaction, chain, onSigned } = request;
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
        maxRetries: BigInt(MAX_SEND_RETRIES),
      })
      .send();
    return signature;
  }
  const sending = features[SolanaSignAndSendTransaction];
  if (!sending) throw new Error('the wallet can neither sign nor send transactions');
  const [answer] = await sending.signAndSendTransaction({
    account,
    transaction,
    chain,
    options: { preflightCommitment: 'confirmed', maxRetries: MAX_SEND_RETRIES },
  });
  const signature = asSignature(getBase58Decoder().decode(answer!.signature));
  onSigned(signature);
  return signature;
}
