import { type SignedTransaction, signForSending } from '@engulf/chain/node/signed-transaction';
import { buildJoinTransaction } from '@engulf/chain/payments/join-transaction';
import {
  type Address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  type Instruction,
  type KeyPairSigner,
  pipe,
  type Rpc,
  type SolanaRpcApi,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';

export type TestRpc = Rpc<SolanaRpcApi>;

/** A transaction that a client sent, and what the client was told about it. */
export type Sent = SignedTransaction & {
  readonly lamports: bigint;
  isAcknowledged: boolean;
  slotShown?: bigint;
};

/** Sends one transaction after another until `isStopped`. */
export async function keepSending(
  rpc: TestRpc,
  isStopped: () => boolean,
  log: Sent[],
  next: (count: number) => Promise<{ signed: SignedTransaction; lamports: bigint }>,
): Promise<void> {
  for (let count = 0; !isStopped(); count++) {
    try {
      const { signed, lamports } = await next(count);
      const sent: Sent = { ...signed, lamports, isAcknowledged: false };
      log.push(sent);
      await rpc.sendTransaction(sent.wire, { encoding: 'base64' }).send();
      sent.isAcknowledged = true;
      const { value } = await rpc.getSignatureStatuses([sent.signature]).send();
      if (value[0]) sent.slotShown = value[0].slot;
    } catch (error) {
      if (isStopped()) return;
      throw error;
    }
  }
}

export async function signTransfer(
  rpc: TestRpc,
  source: KeyPairSigner,
  destination: Address,
  lamports: bigint,
): Promise<SignedTransaction> {
  return signInstructions(rpc, source, [
    getTransferSolInstruction({ source, destination, amount: lamports }),
  ]);
}

export async function signInstructions(
  rpc: TestRpc,
  feePayer: KeyPairSigner,
  instructions: readonly Instruction[],
): Promise<SignedTransaction> {
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  return signForSending(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(feePayer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  );
}

/** The tag makes two joins of one player in one slot different transactions. */
export async function signJoin(
  request: Parameters<typeof buildJoinTransaction>[0] & { readonly player: KeyPairSigner },
  tag: number,
): Promise<SignedTransaction> {
  const join = await buildJoinTransaction(request);
  if (!join.ok) throw new Error(`Could not build a join: ${join.error.code}`);
  const { player } = request;
  const toSelf = getTransferSolInstruction({ source: player, destination: player.address, amount: tag });
  return signForSending(appendTransactionMessageInstructions([toSelf], join.value));
}
