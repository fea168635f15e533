import {
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import type { LandedTransaction } from './journal.ts';
import type { Sequencer } from './sequencer.ts';
import type { Surfpool } from './surfpool.ts';

export type SendInstructions = (
  feePayer: KeyPairSigner,
  instructions: readonly Instruction[],
) => Promise<LandedTransaction>;

/** For the localnet's own transactions. Their failure is a bug or an empty faucet, so it throws. */
export function createSendInstructions(surfpool: Surfpool, sequencer: Sequencer): SendInstructions {
  return async (feePayer, instructions) => {
    const lifetime = await latestBlockhash(surfpool);
    const signed = await pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(feePayer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
      (message) => signTransactionMessageWithSigners(message),
    );
    const submission = await sequencer.submit(new Uint8Array(getTransactionEncoder().encode(signed)));
    if (submission.kind === 'refused') {
      throw new Error(`The chain refused a transaction of the localnet: ${submission.error.message}`);
    }
    return submission.transaction;
  };
}

async function latestBlockhash(surfpool: Surfpool) {
  const reply = await surfpool.call('getLatestBlockhash', []);
  if ('error' in reply) throw new Error(`getLatestBlockhash failed: ${reply.error.message}`);
  return (reply.result as { value: { blockhash: Blockhash; lastValidBlockHeight: bigint } }).value;
}
