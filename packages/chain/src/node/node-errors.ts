import {
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
  type TransactionError,
} from '@solana/kit';
import {
  ARENA_ERROR__CLAIM_ABOVE_LIMIT,
  ARENA_ERROR__NOT_PAYOUT_KEY,
  ARENA_ERROR__WINDOW_EXHAUSTED,
  ARENA_ERROR__WRONG_CLAIM_NUMBER,
} from '../generated/errors/arena.ts';

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

/** Whether a transaction fails because whoever pays for it, its first account, is empty or would be left below the rent. */
export function isPayerShort(error: TransactionError): boolean {
  if (typeof error === 'string') return error === 'AccountNotFound' || error === 'InsufficientFundsForFee';
  // Kit reads every number as a bigint, whatever its type says.
  return 'InsufficientFundsForRent' in error && Number(error.InsufficientFundsForRent.account_index) === 0;
}

/** Whether the program expects another number of a claim: it is of a node that is behind, or was paid already. */
export function isWrongClaimNumber(error: TransactionError): boolean {
  return customCodeOf(error) === ARENA_ERROR__WRONG_CLAIM_NUMBER;
}

const PAYOUT_KEY_CODES: readonly number[] = [
  ARENA_ERROR__NOT_PAYOUT_KEY,
  ARENA_ERROR__CLAIM_ABOVE_LIMIT,
  ARENA_ERROR__WINDOW_EXHAUSTED,
];

/** Whether a payout key may not make a claim now, for no fault of its payouts: it was revoked, or has other limits. */
export function isPayoutKeyRefused(error: TransactionError): boolean {
  return PAYOUT_KEY_CODES.includes(customCodeOf(error) ?? 0);
}

function customCodeOf(error: TransactionError): number | undefined {
  if (typeof error === 'string' || !('InstructionError' in error)) return undefined;
  const [, detail] = error.InstructionError;
  return typeof detail === 'object' ? Number(detail.Custom) : undefined;
}

/** Kit's codes for the errors of an instruction. */
const isInstructionError = (code: number) => code >= 4_615_000 && code < 4_616_000;

/**
 * Whether a node did not forward a transaction because one of its instructions would fail. Other refusals are about the
 * moment, such as a blockhash that this node does not know yet, or a payout key that was revoked.
 */
export function isPreflightRefusal(error: unknown): error is Error {
  if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
    return false;
  const { cause } = error;
  if (!isSolanaError(cause)) return false;
  const code: number = cause.context.__code;
  const isKeyRefused =
    isSolanaError(cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM) &&
    PAYOUT_KEY_CODES.includes(cause.context.code);
  if (isKeyRefused) return false;
  return isInstructionError(code) || code === SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT;
}

/** Whether a node did not forward a transaction because it is in a block. */
export function isAlreadyProcessed(error: unknown): boolean {
  return (
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE) &&
    isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)
  );
}
