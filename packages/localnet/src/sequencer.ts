import { getBase58Decoder, getTransactionDecoder } from '@solana/kit';
import { stringifyJsonWithBigInts } from '@solana/rpc-spec-types';
import type { Journal, LandedTransaction, Landing } from './journal.ts';
import { failure, RPC_ERROR, type RpcError } from './json-rpc.ts';
import type { AccountState, Surfpool } from './surfpool.ts';

type Submission =
  | { readonly kind: 'landed'; readonly transaction: LandedTransaction }
  /** It landed before: nothing was executed. */
  | { readonly kind: 'duplicate'; readonly transaction: LandedTransaction }
  /** Accepted and then not executed: no fee payer, no such blockhash or program. Nodes do not tell the sender either. */
  | { readonly kind: 'dropped'; readonly signature: string }
  | { readonly kind: 'refused'; readonly error: RpcError };

export type Sequencer = {
  submit(wire: Uint8Array, options?: { skipPreflight?: boolean }): Promise<Submission>;
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
    const landing = await readLanding(surfpool, signature, wire);
    if (landing === undefined) return { kind: 'dropped', signature };
    journal.append(landing);
    return { kind: 'landed', transaction: landing.transaction };
  };

  const landOrFail = async (wire: Uint8Array, skipPreflight: boolean): Promise<Submission> => {
    if (fault) throw fault;
    try {
      return await land(wire, skipPreflight);
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
    submit: (wire, { skipPreflight = false } = {}) => {
      const submission = tail.then(() => {
        const running = landOrFail(wire, skipPreflight);
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

type ParsedTransaction = {
  slot: bigint;
  blockTime: bigint;
  meta: { err: unknown };
  transaction: { message: { accountKeys: { pubkey: string; writable: boolean }[] } };
};

/** Undefined if the transaction was not executed: Surfpool answers after the execution, so it would be there by now. */
async function readLanding(
  surfpool: Surfpool,
  signature: string,
  wire: Uint8Array,
): Promise<Landing | undefined> {
  // Surfpool's own block time is a thousand times too small.
  const blockTimeSeconds = BigInt(Math.floor(Date.now() / 1000));
  const read = async (encoding: 'json' | 'jsonParsed'): Promise<ParsedTransaction | undefined> => {
    const config = { encoding, commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
    const transaction = await resultOf(surfpool, 'getTransaction', [signature, config]);
    if (transaction === null) return undefined;
    return { ...(transaction as ParsedTransaction), blockTime: blockTimeSeconds };
  };
  const [json, jsonParsed] = await Promise.all([read('json'), read('jsonParsed')]);
  if (!json || !jsonParsed) return undefined;
  const keys = jsonParsed.transaction.message.accountKeys;
  const writable = keys.filter((key) => key.writable).map((key) => key.pubkey);
  const states = await readAccounts(surfpool, writable);
  return {
    transaction: {
      signature,
      slot: jsonParsed.slot,
      blockTimeSeconds,
      error: jsonParsed.meta.err === null ? null : stringifyJsonWithBigInts(jsonParsed.meta.err),
      wire,
      json: stringifyJsonWithBigInts(json),
      jsonParsed: stringifyJsonWithBigInts(jsonParsed),
    },
    mentioned: keys.map((key) => key.pubkey),
    changed: [...states.values()].filter((state) => state !== undefined),
    closed: writable.filter((address) => states.get(address) === undefined),
  };
}

const ACCOUNTS_PER_REQUEST = 100;

async function readAccounts(
  surfpool: Surfpool,
  addresses: readonly string[],
): Promise<Map<string, AccountState | undefined>> {
  const states = new Map<string, AccountState | undefined>();
  for (let start = 0; start < addresses.length; start += ACCOUNTS_PER_REQUEST) {
    const some = addresses.slice(start, start + ACCOUNTS_PER_REQUEST);
    const result = await resultOf(surfpool, 'getMultipleAccounts', [
      some,
      { encoding: 'base64', commitment: 'processed' },
    ]);
    const { value } = result as { value: (EncodedAccount | null)[] };
    some.forEach((address, index) => {
      const account = value[index];
      states.set(address, account ? decodeAccount(address, account) : undefined);
    });
  }
  return states;
}

type EncodedAccount = {
  lamports: bigint;
  owner: string;
  executable: boolean;
  data: [string, 'base64'];
};

function decodeAccount(address: string, account: EncodedAccount): AccountState | undefined {
  if (account.lamports === 0n) return undefined;
  const { lamports, owner, executable, data } = account;
  return { address, lamports, owner, executable, data: Buffer.from(data[0], 'base64') };
}

async function resultOf(surfpool: Surfpool, method: string, params: readonly unknown[]): Promise<unknown> {
  const reply = await surfpool.call(method, params);
  if ('error' in reply) throw new Error(`${method} failed: ${reply.error.message}`);
  return reply.result;
}
