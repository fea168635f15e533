import {
  type Address,
  type GetTransactionApi,
  getBase58Decoder,
  getBase64Encoder,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  type Rpc,
  type Signature,
  type Transaction,
  verifySignature,
} from '@solana/kit';
import { isDecodable } from '../payments/join-payments.ts';
import { neededNodes } from './agreement.ts';
import type { ConfirmedTransaction } from './confirmed-transaction.ts';
import { isAnswerAboutRequest } from './node-errors.ts';

/** Version 1 exists on mainnet. A node refuses to show a transaction of a version that the client does not name. */
export const MAX_TRANSACTION_VERSION = 1;

const SIGNATURE_BYTES = 64;

export type TransactionReading =
  | { readonly kind: 'read'; readonly transaction: ReadableTransaction }
  /** The node answered, but not with the transaction, or with one that it made up. This says nothing about what it did. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly isMadeUp?: true };

type ReadableTransaction = ConfirmedTransaction & {
  readonly meta: NonNullable<ConfirmedTransaction['meta']>;
  readonly slot: bigint;
  readonly blockTime?: bigint | null;
};

/** What else an answer must show; returns what is missing. */
type FindGap = (transaction: ConfirmedTransaction) => string | undefined;

/**
 * Reads a finalized transaction that enough of the nodes show alike. Throws if it could be read once more of them can be
 * reached.
 */
export async function readTransaction(
  nodes: readonly Rpc<GetTransactionApi>[],
  signature: Signature,
  findGap: FindGap = () => undefined,
): Promise<TransactionReading> {
  const shown = new Map<string, number>();
  const unreadable: TransactionReading[] = [];
  const errors: unknown[] = [];
  for (const node of nodes) {
    try {
      const reading = await readFrom(node, signature, findGap);
      if (reading.kind === 'unreadable') {
        unreadable.push(reading);
        continue;
      }
      const facts = factsOf(reading.transaction);
      const witnesses = (shown.get(facts) ?? 0) + 1;
      if (witnesses === neededNodes(nodes)) return reading;
      shown.set(facts, witnesses);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0 && unreadable.length + shown.size < neededNodes(nodes)) throw errors[0];
  if (shown.size === 0) return unreadable[0]!;
  return unreadableFor(shown.size > 1 ? 'the nodes show it differently' : 'only one node shows it');
}

/** What was executed, and what came of it, without what nodes may word in their own way. */
function factsOf({ slot, transaction, meta }: ReadableTransaction): string {
  const { err, innerInstructions, preBalances, postBalances, loadedAddresses } = meta;
  const amounts = [meta.preTokenBalances, meta.postTokenBalances].map((balances) =>
    balances?.map(({ accountIndex, mint, uiTokenAmount }) => [accountIndex, mint, uiTokenAmount.amount]),
  );
  const inner = innerInstructions?.map(({ index, instructions }) => [
    index,
    instructions.map((one) => [one.programIdIndex, one.accounts, one.data, one.stackHeight]),
  ]);
  const facts = [slot, transaction[0], err, inner, preBalances, postBalances, amounts];
  const addresses = [loadedAddresses?.writable, loadedAddresses?.readonly];
  return JSON.stringify([facts, addresses], (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
}

async function readFrom(
  rpc: Rpc<GetTransactionApi>,
  signature: Signature,
  findGap: FindGap,
): Promise<TransactionReading> {
  try {
    const transaction = await rpc
      .getTransaction(signature, {
        commitment: 'finalized',
        encoding: 'base64',
        maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
      })
      .send();
    const reading = await examine(transaction as ReadableTransaction | null, signature);
    const gap = reading.kind === 'read' ? findGap(reading.transaction) : undefined;
    return gap === undefined ? reading : unreadableFor(gap);
  } catch (error) {
    if (isAnswerAboutRequest(error)) return unreadableFor(String(error));
    throw error;
  }
}

/** Answers come from outside, so the shape is checked as well, and that everybody signed who had to. */
async function examine(
  transaction: ReadableTransaction | null,
  signature: Signature,
): Promise<TransactionReading> {
  if (transaction === null || transaction === undefined) return unreadableFor('the node does not have it');
  if (!transaction.meta) return unreadableFor('its outcome is missing');
  const signed = decode(transaction);
  // A payment would count twice if it were shown for another signature as well.
  if (!signed || nameOf(signed) !== signature) return unreadableFor('the node shows another one');
  if (!(await isSigned(signed))) {
    return { kind: 'unreadable', reason: 'a signature in it is wrong', isMadeUp: true };
  }
  if (transaction.meta.err) return { kind: 'read', transaction };
  // Without them, a payment would look like a transaction that moved nothing.
  if (!Array.isArray(transaction.meta.innerInstructions))
    return unreadableFor('its inner instructions are missing');
  return isDecodable(transaction) ? { kind: 'read', transaction } : unreadableFor('it cannot be decoded');
}

/** Undefined for bytes that are not a transaction. */
function decode({ transaction }: ReadableTransaction): Transaction | undefined {
  try {
    return getTransactionDecoder().decode(getBase64Encoder().encode(transaction[0]));
  } catch {
    return undefined;
  }
}

/** The first signature is the fee payer's, by which the chain names the transaction. */
function nameOf({ signatures }: Transaction): Signature {
  const [first] = Object.values(signatures);
  return getBase58Decoder().decode(first ?? new Uint8Array(SIGNATURE_BYTES)) as Signature;
}

/** A node can make up a transaction, but not the signatures of others. */
async function isSigned({ messageBytes, signatures }: Transaction): Promise<boolean> {
  const checks = Object.entries(signatures).map(
    async ([signer, signed]) =>
      signed !== null &&
      verifySignature(await getPublicKeyFromAddress(signer as Address), signed, messageBytes),
  );
  return (await Promise.all(checks).catch(() => [false])).every(Boolean);
}

function unreadableFor(reason: string): TransactionReading {
  return { kind: 'unreadable', reason };
}
