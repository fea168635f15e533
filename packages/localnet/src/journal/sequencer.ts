import { getBase58Decoder, getTransactionDecoder } from '@solana/kit';
import { failure, RPC_ERROR, type RpcError } from '../node/json-rpc.ts';
import type { Surfpool } from '../node/surfpool.ts';
import type { Journal, LandedTransaction } from './journal.ts';
import { awaitLanding } from './landing.ts';

type Submission =
  | { readonly kind: 'landed'; readonly transaction: LandedTransaction }
  /** It landed before: nothing was executed. */
  | { readonly kind: 'duplicate'; readonly transaction: LandedTransaction }
  /** Accepted and then not executed: no fee payer, no such blockhash or program. Nodes do not tell the sender either. */
  | { readonly kind: 'dropped'; readonly signature: string }
  | { readonly kind: 'refused'; readonly error: RpcError };

/** One that is signed when its turn comes cannot expire while it waits for those before it. */
type Submitted = Uint8Array | (() => Promise<Uint8Array>);

export type Sequencer = {
  submit(submitted: Submitted, options?: { skipPreflight?: boolean }): Promise<Submission>;
  /** Resolves when every effect that Surfpool may have shown by now is on disk. */
  durable(): Promise<void>;
  /** Refuses further transactions and waits for the current ones. */
  close(): Promise<void>;
};

/**
 * The only way to change the chain. Transactions run one after another, and the effect of each is in the journal before
 * anybody is told. A reader that waits for `durable()` before it passes an answer on never shows anything that a crash
 * could undo.
 */
export function createSequencer(
  surfpool: Surfpool,
  journal: Journal,
  onFault: (fault: Error) => void,
): Sequencer {
  let tail: Promise<unknown> = Promise.resolve();
  let inProgress: Promise<unknown> = Promise.resolve();
  let fault: Error | undefined;

  const land = async (wire: Uint8Array, skipPreflight: boolean): Promise<Submission> => {
    const signature = signatureOf(wire);
    if (signature === undefined) {
      return { kind: 'refused', ...failure(RPC_ERROR.invalidParams, 'failed to decode the transaction') };
    }
    const known = journal.find(signature);
    if (known) return { kind: 'duplicate', transaction: known };

    const config = { encoding: 'base64', skipPreflight };
    const reply = await surfpool.call('sendTransaction', [Buffer.from(wire).toString('base64'), config]);
    if ('error' in reply) return { kind: 'refused', error: reply.error };
    const landing = await awaitLanding(surfpool, signature, wire);
    if (landing === undefined) return { kind: 'dropped', signature };
    journal.append(landing);
    return { kind: 'landed', transaction: landing.transaction };
  };

  const landOrFail = async (submitted: Submitted, skipPreflight: boolean): Promise<Submission> => {
    if (fault) throw fault;
    try {
      return await land(typeof submitted === 'function' ? await submitted() : submitted, skipPreflight);
    } catch (cause) {
      // The chain may now be ahead of its journal. Continuing would show effects that a restart undoes.
      fault = new Error(
        'The journal could not be written; restart the chain to continue from the last durable state',
        {
          cause,
        },
      );
      onFault(fault);
      throw fault;
    }
  };

  return {
    submit: (submitted, { skipPreflight = false } = {}) => {
      const submission = tail.then(() => {
        const running = landOrFail(submitted, skipPreflight);
        inProgress = running;
        return running;
      });
      tail = submission.catch(() => {});
      return submission;
    },
    durable: async () => {
      await inProgress;
    },
    close: async () => {
      fault ??= new Error('The chain is stopping');
      await tail;
    },
  };
}

function signatureOf(wire: Uint8Array): string | undefined {
  try {
    const [signature] = Object.values(getTransactionDecoder().decode(wire).signatures);
    return signature ? getBase58Decoder().decode(signature) : undefined;
  } catch {
    return undefined;
  }
}
