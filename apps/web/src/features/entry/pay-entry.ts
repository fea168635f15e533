import { awaitFinality } from '@engulf/chain/node/await-finality';
import { explainPaymentError } from '@engulf/chain/node/error-texts';
import { buildJoinTransaction } from '@engulf/chain/payments/join-transaction';
import { describeFailure, ERRORS, type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { PublicConfig } from '@engulf/protocol/http/config';
import { SIGNATURE_ALREADY_PROCESSED } from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import {
  address,
  compileTransaction,
  createDefaultRpcTransport,
  createNoopSigner,
  createSolanaRpcFromTransport,
  getBase64EncodedWireTransaction,
  getSolanaErrorFromTransactionError,
  getTransactionEncoder,
  type Rpc,
  type RpcTransport,
  type SimulateTransactionApi,
  type SolanaRpcApi,
  type Transaction,
} from '@solana/kit';
import { type ConnectedWallet, solanaChain } from '../../shared/stores/wallet-store.ts';
import type { PaymentRefusal } from './entry-flow.ts';
import { signAndSend, unlessAborted } from './sign-and-send.ts';

const NODE_ANSWERS_WITHIN_MS = 30_000;
const SEND_AGAIN_MS = 3_000;

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
  /** What the page will sign the inputs of the game with. */
  readonly inputsKey?: string | undefined;
  /** The player takes the payment back. Once it is signed, that is too late. */
  readonly signal?: AbortSignal | undefined;
};

/** Pays the entry on chain, waits until the payment is final and returns its signature. */
export async function payEntry(payment: Payment): Promise<Result<string, PaymentRefusal>> {
  try {
    return await pay(payment);
  } catch (error) {
    const {
      failure: cause,
      title,
      text,
    } = explainPaymentError(error, payment.lobby.tokenMint === null ? undefined : payment.lobby.tokenSymbol);
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
  inputsKey,
  signal,
}: Payment): Promise<Result<string, PaymentRefusal>> {
  if (!connected) return refusedBy(failure('WALLET_NOT_CONNECTED'));
  if (connected.account.address !== payer) return refusedBy(failure('WALLET_ADDRESS_MISMATCH'));
  if (lobby.lobbyId === null) return refusedBy(failure('LOBBY_NOT_FOUND'));

  const rpc = connectNode(config.rpcUrl);
  const building = buildJoinTransaction({
    rpc,
    programId: address(config.programId),
    lobbyId: BigInt(lobby.lobbyId),
    player: createNoopSigner(address(payer)),
    entryFee: BigInt(lobby.entryFee),
    // What the popup showed: a chain that says otherwise is refused before the wallet is asked.
    treasury: address(config.treasury),
    platformFeeBasisPoints: config.platformFeeBasisPoints,
    inputsKey,
  });
  const message = await unlessAborted(building, signal);
  if (!message.ok) return refusedBy(message.error);

  const unsigned = compileTransaction(message.value);
  await unlessAborted(simulate(rpc, unsigned), signal);
  const transaction = new Uint8Array(getTransactionEncoder().encode(unsigned));
  const { signature, sendAgain } = await signAndSend({
    rpc,
    connected,
    transaction,
    chain: solanaChain(config),
    onSigned,
    signal,
  });
  const decided = new AbortController();
  if (sendAgain) void keepSending(sendAgain, decided.signal);
  const fate = await awaitFinality({
    rpc,
    signature,
    lastValidBlockHeight: message.value.lifetimeConstraint.lastValidBlockHeight,
    ...(config.mode === 'embedded' && { pollMs: EMBEDDED_POLL_MS }),
  }).finally(() => decided.abort());
  if (fate.kind === 'finalized') return ok(signature);
  if (fate.kind === 'failed') return refusedBy(failure('TRANSACTION_FAILED', { reason: fate.reason }));
  return refusedBy(failure('BLOCKHASH_NOT_FOUND'));
}

function refusedBy(refusal: Failure): Result<never, PaymentRefusal> {
  const { text } = describeFailure(refusal);
  return err({ title: ERRORS.PAYMENT_FAILED.title, text, isCancelled: false });
}

/** A node that accepts a request and never answers must not keep the player waiting for ever. */
function connectNode(url: string): Rpc<SolanaRpcApi> {
  const transport = createDefaultRpcTransport({ url });
  const withTimeout: RpcTransport = ({ payload, signal }) => {
    const timeout = AbortSignal.timeout(NODE_ANSWERS_WITHIN_MS);
    return transport({ payload, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  };
  return createSolanaRpcFromTransport(withTimeout);
}

/** Until the node accepts it: a transaction sent twice is executed once. */
async function keepSending(send: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (;;) {
    await new Promise((done) => setTimeout(done, SEND_AGAIN_MS));
    if (signal.aborted) return;
    const isAccepted = await send().then(
      () => true,
      () => false,
    );
    if (isAccepted) return;
  }
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
