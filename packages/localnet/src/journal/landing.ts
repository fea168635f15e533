import { setTimeout as sleep } from 'node:timers/promises';
import { stringifyJsonWithBigInts } from '@solana/rpc-spec-types';
import type { AccountState, Surfpool } from '../node/surfpool.ts';
import type { Landing } from './journal.ts';

const POLL_MS = 10;
/** Surfpool stores what it executed within milliseconds. */
const STORED_WITHIN_MS = 10_000;
const CERTAIN_AFTER_MS = 200;

/**
 * What an accepted transaction did; undefined if it was dropped. Surfpool may answer before it has stored a transaction,
 * so one that cannot be found is simulated: that tells whether it was executed, still can be, or never will.
 */
export async function awaitLanding(
  surfpool: Surfpool,
  signature: string,
  wire: Uint8Array,
): Promise<Landing | undefined> {
  const startedAtMs = performance.now();
  for (;;) {
    const landing = await readLanding(surfpool, signature, wire);
    if (landing) return landing;
    const prospect = prospectOf(await simulate(surfpool, wire));
    const waitedMs = performance.now() - startedAtMs;
    if (prospect === 'none' || (prospect === 'unclear' && waitedMs > CERTAIN_AFTER_MS)) {
      // Surfpool does not simulate while it executes, so this last look is conclusive.
      return readLanding(surfpool, signature, wire);
    }
    if (waitedMs > STORED_WITHIN_MS) {
      throw new Error(`Transaction ${signature} was accepted but cannot be found`);
    }
    await sleep(POLL_MS);
  }
}

type Prospect = 'executable' | 'none' | 'unclear';

/** Errors that end a transaction before its first instruction: nobody pays, and it leaves no trace. */
const NEVER_EXECUTED = new Set([
  'AccountNotFound',
  'BlockhashNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'InvalidProgramForExecution',
  'ProgramAccountNotFound',
  'SignatureFailure',
  'SanitizeFailure',
]);

function prospectOf(simulated: unknown): Prospect {
  if (simulated === null || simulated === 'AlreadyProcessed') return 'executable';
  if (typeof simulated === 'string') return NEVER_EXECUTED.has(simulated) ? 'none' : 'unclear';
  return simulated !== undefined && Object.hasOwn(simulated as object, 'InstructionError')
    ? 'executable'
    : 'unclear';
}

/** The error of the transaction, null if it would succeed; undefined if it cannot be simulated at all. */
async function simulate(surfpool: Surfpool, wire: Uint8Array): Promise<unknown> {
  const config = { encoding: 'base64', sigVerify: true, commitment: 'processed' };
  const reply = await surfpool.call('simulateTransaction', [Buffer.from(wire).toString('base64'), config]);
  return 'error' in reply ? undefined : (reply.result as { value: { err: unknown } }).value.err;
}

type ParsedTransaction = {
  slot: bigint;
  blockTime: bigint;
  meta: { err: unknown };
  transaction: { message: { accountKeys: { pubkey: string; writable: boolean }[] } };
};

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
