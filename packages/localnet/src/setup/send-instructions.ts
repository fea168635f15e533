import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import type { LandedTransaction } from '../journal/journal.ts';
import type { Sequencer } from '../journal/sequencer.ts';
import type { Surfpool } from '../node/surfpool.ts';

export type SendInstructions = (
  feePayer: KeyPairSigner,
  instructions: readonly Instruction[],
) => Promise<LandedTransaction>;

/** Sends the localnet's own transactions. Throws on failure, which is a bug or an empty faucet. */
export function createSendInstructions(surfpool: Surfpool, sequencer: Sequencer): SendInstructions {
  return async (feePayer, instructions) => {
    for (;;) {
      const submission = await sequencer.submit(async () =>
        sign(feePayer, instructions, await latestBlockhash(surfpool)),
      );
      if (submission.kind === 'landed') return submission.transaction;
      if (submission.kind === 'refused') {
        throw new Error(
          `The chain refused one of the localnet's own transactions: ${submission.error.message}`,
        );
      }
      if (submission.kind === 'dropped')
        throw new Error("The chain dropped one of the localnet's own transactions");
      // The same transaction was sent in this slot. A second one needs another blockhash.
      await new Promise((done) => setTimeout(done, NEXT_BLOCKHASH_MS));
    }
  };
}

const NEXT_BLOCKHASH_MS = 20;

type Lifetime = Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0];

async function sign(
  feePayer: KeyPairSigner,
  instructions: readonly Instruction[],
  lifetime: Lifetime,
): Promise<Uint8Array> {
  const signed = await pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(feePayer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => signTransactionMessageWithSigners(message),
  );
  return new Uint8Array(getTransactionEncoder().encode(signed));
}

async function latestBlockhash(surfpool: Surfpool): Promise<Lifetime> {
  const reply = await surfpool.call('getLatestBlockhash', []);
  if ('error' in reply) throw new Error(`getLatestBlockhash failed: ${reply.error.message}`);
  return (reply.result as { value: Lifetime }).value;
}
