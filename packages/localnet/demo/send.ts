import { awaitFinality } from '@engulf/chain/await-finality';
import { type SignedTransaction, signForSending } from '@engulf/chain/signed-transaction';
import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  type Instruction,
  type KeyPairSigner,
  pipe,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { DemoRpc } from './accounts.ts';

export type Receipt = {
  readonly signature: Signature;
  readonly networkFee: bigint;
  readonly createdTokenAccounts: bigint;
};

/** Signs, sends and waits until it is final. */
export async function sendMessage(
  rpc: DemoRpc,
  message: Parameters<typeof signForSending>[0],
): Promise<Receipt> {
  const signed = await signForSending(message);
  await rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
  const fate = await awaitFinality({ rpc, ...signed, pollMs: 100 });
  if (fate.kind !== 'finalized') throw new Error(`A transaction did not succeed: ${JSON.stringify(fate)}`);
  return readReceipt(rpc, signed);
}

export async function sendInstructions(
  rpc: DemoRpc,
  feePayer: KeyPairSigner,
  instructions: readonly Instruction[],
): Promise<Receipt> {
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
  );
  return sendMessage(rpc, message);
}

/** Fees and new accounts are read from the chain, not assumed. */
async function readReceipt(rpc: DemoRpc, { signature }: SignedTransaction): Promise<Receipt> {
  const config = { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 0 } as const;
  const transaction = await rpc.getTransaction(signature, config).send();
  if (!transaction?.meta) throw new Error(`${signature} is final but cannot be read`);
  const { fee, preTokenBalances, postTokenBalances } = transaction.meta;
  const before = preTokenBalances?.length ?? 0;
  const after = postTokenBalances?.length ?? 0;
  return { signature, networkFee: fee, createdTokenAccounts: BigInt(after - before) };
}
