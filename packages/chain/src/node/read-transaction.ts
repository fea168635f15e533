import {
  type GetTransactionApi,
  getBase58Decoder,
  getBase64Encoder,
  getTransactionDecoder,
  type Rpc,
  type Signature,
} from '@solana/kit';
import { isDecodable } from '../payments/join-payments.ts';
import type { ConfirmedTransaction } from './confirmed-transaction.ts';
import { isAnswerAboutRequest } from './node-errors.ts';

/** Version 1 exists on mainnet. A node refuses to show a transaction of a version that the client does not name. */
export const MAX_TRANSACTION_VERSION = 1;

const SIGNATURE_BYTES = 64;

export type TransactionReading =
  | { readonly kind: 'read'; readonly transaction: ReadableTransaction }
  /** The node answered, but not with the transaction. This says nothing about what the transaction did. */
  | { readonly kind: 'unreadable'; readonly reason: string };

type ReadableTransaction = ConfirmedTransaction & {
  readonly meta: NonNullable<ConfirmedTransaction['meta']>;
  readonly slot: bigint;
};

/** What else an answer must show; returns what is missing. */
type FindGap = (transaction: ConfirmedTransaction) => string | undefined;

/** Reads a finalized transaction from the first node that can show it. Throws if no node can be reached. */
export async function readTransaction(
  nodes: readonly Rpc<GetTransactionApi>[],
  signature: Signature,
  findGap: FindGap = () => undefined,
): Promise<TransactionReading> {
  const unreadable: TransactionReading[] = [];
  const errors: unknown[] = [];
  for (const node of nodes) {
    try {
      const reading = await readFrom(node, signature, findGap);
      if (reading.kind === 'read') return reading;
      unreadable.push(reading);
    } catch (error) {
      errors.push(error);
    }
  }
  if (unreadable[0]) return unreadable[0];
  throw errors[0];
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
    const reading = examine(transaction as ReadableTransaction | null, signature);
    const gap = reading.kind === 'read' ? findGap(reading.transaction) : undefined;
    return gap === undefined ? reading : unreadable(gap);
  } catch (error) {
    if (isAnswerAboutRequest(error)) return unreadable(String(error));
    throw error;
  }
}

/** Answers come from outside, so the shape is checked as well. */
function examine(transaction: ReadableTransaction | null, signature: Signature): TransactionReading {
  if (transaction === null || transaction === undefined) return unreadable('the node does not have it');
  if (!transaction.meta) return unreadable('its outcome is missing');
  // A payment would count twice if it were shown for another signature as well.
  if (signatureOf(transaction) !== signature) return unreadable('the node shows another one');
  if (transaction.meta.err) return { kind: 'read', transaction };
  // Without them, a payment would look like a transaction that moved nothing.
  if (!Array.isArray(transaction.meta.innerInstructions))
    return unreadable('its inner instructions are missing');
  return isDecodable(transaction) ? { kind: 'read', transaction } : unreadable('it cannot be decoded');
}

/** Undefined for bytes that are not a transaction. */
function signatureOf({ transaction }: ReadableTransaction): Signature | undefined {
  try {
    const { signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction[0]));
    // The first is the fee payer's, by which the chain names the transaction.
    const [signed] = Object.values(signatures);
    return getBase58Decoder().decode(signed ?? new Uint8Array(SIGNATURE_BYTES)) as Signature;
  } catch {
    return undefined;
  }
}

function unreadable(reason: string): TransactionReading {
  return { kind: 'unreadable', reason };
}
