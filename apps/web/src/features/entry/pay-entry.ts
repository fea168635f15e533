import { awaitFinality } from '@engulf/chain/await-finality';
import { explainPaymentError } from '@engulf/chain/error-texts';
import { buildJoinTransaction } from '@engulf/chain/join-transaction';
import { readGlobalConfig } from '@engulf/chain/read-configs';
import { describeFailure, type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { PublicConfig } from '@engulf/protocol/http/config';
import { JOIN_TRANSACTION, SIGNATURE_ALREADY_PROCESSED } from '@engulf/protocol/http/entry-flow';
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
  getTransactionDecoder,
  getTransactionEncoder,
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
import { type ConnectedWallet, solanaChain } from '../../shared/stores/wallet-store.ts';
import type { PaymentRefusal } from './entry-flow.ts';

export type Payment = {
  readonly config: PublicConfig;
  /** Undefined when no wallet is connected in this browser, even if a session is open. */
  readonly connected: ConnectedWallet | undefined;
  /** The wallet that signed in: nobody else's money counts. */
  readonly payer: string;
  readonly lobby: Lobby;
  readonly onSigned: (signature: string) => void;
};

/** Pays the entry on the chain and waits until nothing can undo it. Answers the signature. */
export async function payEntry(payment: Payment): Promise<Result<string, PaymentRefusal>> {
  try {
    return await pay(payment);
  } catch (error) {
    const { failure: cause, title, text } = explainPaymentError(error);
    if (cause.code === 'TRANSACTION_ALREADY_PROCESSED') return ok(SIGNATURE_ALREADY_PROCESSED);
    return err({ title, text, isCancelled: cause.code === 'PAYMENT_CANCELLED' });
  }
}

async function pay({
  config,
  connected,
  payer,
  lobby,
  onSigned,
}: Payment): Promise<Result<string, PaymentRefusal>> {
  if (!connected) return refuse(failure('WALLET_NOT_CONNECTED'));
  if (connected.account.address !== payer) return refuse(failure('WALLET_ADDRESS_MISMATCH'));
  if (lobby.lobbyId === null) return refuse(failure('LOBBY_NOT_FOUND'));

  const rpc = createSolanaRpc(config.rpcUrl);
  const programId = address(config.programId);
  const globalConfig = await readGlobalConfig(rpc, programId);
  if (!globalConfig) return refuse(failure('LOBBY_NOT_FOUND'));
  const message = await buildJoinTransaction({
    rpc,
    programId,
    lobbyId: BigInt(lobby.lobbyId),
    player: createNoopSigner(address(payer)),
    entryFee: BigInt(lobby.entryFee),
    treasury: globalConfig.platformTreasury,
  });
  if (!message.ok) return refuse(message.error);

  const transaction = new Uint8Array(getTransactionEncoder().encode(compileTransaction(message.value)));
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
  });
  if (fate.kind === JOIN_TRANSACTION.commitment) return ok(signature);
  if (fate.kind === 'failed') return refuse(failure('TRANSACTION_FAILED', { reason: fate.reason }));
  return refuse(failure('BLOCKHASH_NOT_FOUND'));
}

function refuse(refusal: Failure): Result<never, PaymentRefusal> {
  const { title, text } = describeFailure(refusal);
  return err({ title, text, isCancelled: false });
}

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
