import { getBase58Decoder, getBase58Encoder, getBase64Encoder } from '@solana/kit';
import { parseJsonWithBigInts, stringifyJsonWithBigInts } from '@solana/rpc-spec-types';
import type { Journal, LandedTransaction } from '../journal/journal.ts';
import type { Sequencer } from '../journal/sequencer.ts';
import { commitmentOf, type Finality, readCurrentSlot } from '../node/finality.ts';
import { failure, RPC_ERROR, type RpcError } from '../node/json-rpc.ts';
import type { Surfpool } from '../node/surfpool.ts';
import { blockAnswers } from './block-answers.ts';
import { memoOf } from './memo-of.ts';

/** As JSON text, so that stored answers pass through unchanged. */
type Answer = { readonly resultJson: string } | { readonly error: RpcError };

export type AnswerMethod = (params: readonly unknown[]) => Promise<Answer>;

/**
 * The methods about transactions. They are answered from the journal alone, so that the answers are the same before and
 * after a restart; Surfpool forgets its transactions.
 */
export function journalAnswers(deps: {
  surfpool: Surfpool;
  journal: Journal;
  sequencer: Sequencer;
  finality: Finality;
}): Readonly<Record<string, AnswerMethod>> {
  const { surfpool, journal, sequencer } = deps;
  const { newestSlotAt, commitmentReached } = deps.finality;
  const slotAnswer: AnswerMethod = async ([config]) =>
    ok(newestSlotAt(commitmentOf(config), await readCurrentSlot(surfpool)));

  return {
    getSlot: slotAnswer,
    // Slot and height are the same number here: no slot is skipped and both start equal.
    getBlockHeight: slotAnswer,
    ...blockAnswers(deps),

    sendTransaction: async ([encoded, config]) => {
      const { encoding, skipPreflight } = (config ?? {}) as { encoding?: string; skipPreflight?: boolean };
      const wire = decodeWire(encoded, encoding ?? 'base58');
      if (!wire) return failure(RPC_ERROR.invalidParams, 'failed to decode the transaction');
      const submission = await sequencer.submit(wire, { skipPreflight: skipPreflight === true });
      if (submission.kind === 'refused') return { error: withData(submission.error) };
      if (submission.kind === 'dropped') return ok(submission.signature);
      if (submission.kind === 'duplicate' && !skipPreflight) return alreadyProcessed();
      return ok(submission.transaction.signature);
    },

    getSignatureStatuses: async ([signatures]) => {
      if (!Array.isArray(signatures))
        return failure(RPC_ERROR.invalidParams, 'expected a list of signatures');
      const slot = await readCurrentSlot(surfpool);
      const value = signatures.map((signature) => {
        const transaction = journal.find(String(signature));
        return transaction ? statusOf(transaction, slot, deps.finality) : null;
      });
      return ok({ context: { slot }, value });
    },

    getTransaction: async ([signature, config]) => {
      const transaction = journal.find(String(signature));
      if (!transaction) return ok(null);
      const newest = newestSlotAt(commitmentOf(config), await readCurrentSlot(surfpool));
      return transaction.slot > newest ? ok(null) : encodeTransaction(transaction, config);
    },

    getSignaturesForAddress: async ([address, config]) => {
      const { before, until, limit } = (config ?? {}) as { before?: string; until?: string; limit?: number };
      const currentSlot = await readCurrentSlot(surfpool);
      const history = journal.historyOf({
        address: String(address),
        newestSlot: newestSlotAt(commitmentOf(config), currentSlot),
        before,
        until,
        limit: Math.min(Number(limit ?? HISTORY_LIMIT), HISTORY_LIMIT),
      });
      return ok(
        history.map((transaction) => ({
          signature: transaction.signature,
          slot: transaction.slot,
          err: errorOf(transaction),
          memo: memoOf(transaction.wire),
          blockTime: transaction.blockTimeSeconds,
          confirmationStatus: commitmentReached(transaction.slot, currentSlot),
        })),
      );
    },
  };
}

const HISTORY_LIMIT = 1000;

function ok(result: unknown): Answer {
  return { resultJson: stringifyJsonWithBigInts(result) };
}

export function errorOf(transaction: LandedTransaction): unknown {
  return transaction.error === null ? null : parseJsonWithBigInts(transaction.error);
}

function statusOf(transaction: LandedTransaction, currentSlot: bigint, finality: Finality) {
  const confirmationStatus = finality.commitmentReached(transaction.slot, currentSlot);
  const err = errorOf(transaction);
  return {
    slot: transaction.slot,
    confirmations: confirmationStatus === 'finalized' ? null : currentSlot - transaction.slot,
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus,
  };
}

function encodeTransaction(transaction: LandedTransaction, config: unknown): Answer {
  const { encoding = 'json', maxSupportedTransactionVersion } = (
    typeof config === 'string' ? { encoding: config } : (config ?? {})
  ) as { encoding?: string; maxSupportedTransactionVersion?: number };
  const stored = parseJsonWithBigInts(transaction.json) as { version: 'legacy' | bigint };
  if (stored.version !== 'legacy' && stored.version > (maxSupportedTransactionVersion ?? -1)) {
    return failure(
      RPC_ERROR.unsupportedTransactionVersion,
      `Transaction version (${stored.version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${stored.version}`,
    );
  }
  if (encoding === 'json') return { resultJson: transaction.json };
  if (encoding === 'jsonParsed') return { resultJson: transaction.jsonParsed };
  const text =
    encoding === 'base64'
      ? Buffer.from(transaction.wire).toString('base64')
      : getBase58Decoder().decode(transaction.wire);
  return ok({ ...stored, transaction: [text, encoding] });
}

function decodeWire(encoded: unknown, encoding: string): Uint8Array | undefined {
  if (typeof encoded !== 'string') return undefined;
  try {
    const codec = encoding === 'base64' ? getBase64Encoder() : getBase58Encoder();
    return new Uint8Array(codec.encode(encoded));
  } catch {
    return undefined;
  }
}

function alreadyProcessed(): Answer {
  const message = 'Transaction simulation failed: This transaction has already been processed';
  return failure(RPC_ERROR.preflightFailure, message, simulationData('AlreadyProcessed'));
}

/** Surfpool omits `data` from some refusals, on which kit throws a TypeError. */
function withData(error: RpcError): RpcError {
  if (Number(error.code) !== RPC_ERROR.preflightFailure || error.data !== undefined) return error;
  if (/blockhash/i.test(error.message)) {
    const message = 'Transaction simulation failed: Blockhash not found';
    return { ...error, message, data: simulationData('BlockhashNotFound') };
  }
  return { ...error, data: simulationData('SanitizeFailure') };
}

function simulationData(err: string) {
  return { accounts: null, err, innerInstructions: null, logs: [], returnData: null, unitsConsumed: 0 };
}
