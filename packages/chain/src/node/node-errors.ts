import {
  type Instruction,
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
  type TransactionError,
} from '@solana/kit';
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { ARENA_ERROR__WRONG_CLAIM_NUMBER } from '../generated/errors/arena.ts';

/** Rate limited, overloaded or restarting: proxies in front of a node have statuses of their own for that, such as 522. */
const isBusyStatus = (status: number) => status === 408 || status === 429 || status >= 500;
/** JSON-RPC codes about the node itself: unhealthy, behind the requested slot, internal error, rate limited. */
const NODE_CODES: readonly number[] = [-32005, -32016, -32603, -32429];

/** Whether a node refused a request only because it is overloaded, so that the same request may succeed later. */
export function isNodeBusy(error: unknown): boolean {
  return (
    isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR) && isBusyStatus(error.context.statusCode)
  );
}

/** Whether a node was not reached or is busy. False for an answer that refuses the request itself. */
export function isNodeUnavailable(error: unknown): boolean {
  if (isNodeBusy(error)) return true;
  if (!(error instanceof Error)) return false;
  const isTimeout = error.name === 'TimeoutError' || error.name === 'AbortError';
  // `fetch` reports a refused or broken connection as a TypeError with a cause.
  return isTimeout || (error instanceof TypeError && error.cause !== undefined);
}

/** Whether a node answered, but with an error about the request or with something that is not JSON. */
export function isAnswerAboutRequest(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  if (!isSolanaError(error)) return false;
  const code: number = error.context.__code;
  return code <= -32000 && code >= -32768 && !NODE_CODES.includes(code);
}

/**
 * Whether a transaction fails because whoever pays for it, its first account, is empty, would be left below the rent, or
 * lacks the rent of a token account that is to be created.
 */
export function isPayerShort(error: TransactionError, instructions: readonly Instruction[]): boolean {
  if (typeof error === 'string') return error === 'AccountNotFound' || error === 'InsufficientFundsForFee';
  // Kit reads every number as a bigint, whatever its type says.
  if ('InsufficientFundsForRent' in error) return Number(error.InsufficientFundsForRent.account_index) === 0;
  if (!('InstructionError' in error)) return false;
  const [index, detail] = error.InstructionError;
  const isCreation = instructions[Number(index)]?.programAddress === ASSOCIATED_TOKEN_PROGRAM_ADDRESS;
  return isCreation && typeof detail === 'object' && Number(detail.Custom) === TOO_FEW_LAMPORTS;
}

/** Whether the program expects another number of a claim: it is of a node that is behind, or was paid already. */
export function isWrongClaimNumber(error: TransactionError): boolean {
  if (typeof error === 'string' || !('InstructionError' in error)) return false;
  const [, detail] = error.InstructionError;
  return typeof detail === 'object' && Number(detail.Custom) === ARENA_ERROR__WRONG_CLAIM_NUMBER;
}

/** What the system program says; programs that call it pass it on. */
const TOO_FEW_LAMPORTS = 1;

/** Kit's codes for the errors of an instruction. */
const isInstructionError = (code: number) => code >= 4_615_000 && code < 4_616_000;

/**
 * Whether a node did not forward a transaction because one of its instructions would fail. Other refusals are about the
 * moment, such as a blockhash that this node does not know yet.
 */
export function isPreflightRefusal(error: unknown): error is Error {
  if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
    return false;
  const { cause } = error;
  if (!isSolanaError(cause)) return false;
  const code: number = cause.context.__code;
  return isInstructionError(code) || code === SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT;
}
