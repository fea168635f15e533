import { awaitFinality } from '@engulf/chain/await-finality';
import { explainPaymentError } from '@engulf/chain/error-texts';
import { buildJoinTransaction } from '@engulf/chain/join-transaction';
import { readGlobalConfig } from '@engulf/chain/read-configs';
import { describeFailure, type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { PublicConfig } from '@engulf/protocol/http/config';
import { SIGNATURE_ALREADY_PROCESSED } from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import {
  address,
  compileTransaction,
  createNoopSigner,
  createSolanaRpc,
  getTransactionEncoder,
  type Signature,
} from '@solana/kit';
import { type ConnectedWallet, solanaChain } from '../../shared/stores/wallet-store.ts';
import type { PaymentRefusal } from './entry-flow.ts';
import { JOIN_TRANSACTION, signAndSend } from './sign-and-send.ts';

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
