import {
  describeFailure,
  type ErrorCode,
  type Failure,
  failure,
  programErrorCode,
} from '@engulf/domain/errors/registry';
import {
  isSolanaError,
  SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__INSTRUCTION_ERROR__INSUFFICIENT_FUNDS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
  type SolanaErrorCode,
} from '@solana/kit';
import { isNodeUnavailable } from './node-errors.ts';

type PaymentErrorExplanation = {
  readonly failure: Failure;
  readonly title: string;
  readonly text: string;
};

/**
 * Explains an error of a wallet or a node to players. This is the only place that matches the texts of wallets and
 * nodes.
 */
export function explainPaymentError(
  error: unknown,
  /** Of a lobby that is not paid in SOL. */
  tokenSymbol?: string | undefined,
): PaymentErrorExplanation {
  const links = causes(error);
  const words = links.flatMap(wordsOf).join('\n');
  if (tokenSymbol !== undefined && areTokensMissing(links, words)) {
    const refusal = failure('INSUFFICIENT_TOKENS', { symbol: tokenSymbol });
    const { title, text } = describeFailure(refusal);
    return { failure: refusal, title, text };
  }
  const rule = RULES.find(
    ({ pattern, codes = [] }) =>
      pattern.test(words) || links.some((link) => codes.some((code) => isSolanaError(link, code))),
  );
  if (links.some(isUserRejection)) return explain('PAYMENT_CANCELLED');
  if (rule?.isSpecific) return explain(rule.code);
  const programCode = programErrorIn(links, words);
  if (programCode) return explain(programCode);
  if (rule) return explain(rule.code);
  if (isTechnical(error)) return explain('PAYMENT_FAILED');
  const message = messageOf(error);
  return message === '' ? explain('UNKNOWN_PAYMENT_ERROR') : { ...explain('PAYMENT_FAILED'), text: message };
}

/** A transaction error of a node as text for people: the program's own text if the program refused. */
export function describeTransactionError(error: unknown): string {
  const custom = customErrorNumber(error);
  const code = custom === undefined ? undefined : programErrorCode(custom);
  if (code) return describeFailure(failure(code)).text;
  if (typeof error === 'string') return error;
  return JSON.stringify(error, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}

/** `{ InstructionError: [index, { Custom: number }] }` */
function customErrorNumber(error: unknown): number | undefined {
  const instructionError = (error as { InstructionError?: unknown } | null)?.InstructionError;
  const detail = Array.isArray(instructionError) ? (instructionError[1] as { Custom?: unknown }) : undefined;
  const custom = detail?.Custom;
  return typeof custom === 'number' || typeof custom === 'bigint' ? Number(custom) : undefined;
}

type Rule = {
  readonly code: PlainCode;
  readonly pattern: RegExp;
  /** Production builds of kit carry numbers instead of texts. */
  readonly codes?: readonly SolanaErrorCode[];
  /** Takes precedence over the number of a program error. */
  readonly isSpecific: boolean;
};

type PlainCode = Extract<
  ErrorCode,
  | 'TRANSACTION_ALREADY_PROCESSED'
  | 'BLOCKHASH_NOT_FOUND'
  | 'INSUFFICIENT_FUNDS'
  | 'SIMULATION_FAILED'
  | 'PAYMENT_CANCELLED'
  | 'PAYMENT_FAILED'
  | 'UNKNOWN_PAYMENT_ERROR'
>;

/** In order: a node wraps the cause in a failed simulation, so that comes last. */
const RULES: readonly Rule[] = [
  {
    code: 'PAYMENT_CANCELLED',
    pattern: /user rejected the request/i,
    isSpecific: true,
  },
  {
    code: 'TRANSACTION_ALREADY_PROCESSED',
    pattern: /already been processed|AlreadyProcessed/i,
    codes: [SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED],
    isSpecific: true,
  },
  {
    code: 'BLOCKHASH_NOT_FOUND',
    pattern: /blockhash ?not ?found|block height exceeded/i,
    codes: [SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND, SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED],
    isSpecific: true,
  },
  {
    code: 'INSUFFICIENT_FUNDS',
    pattern:
      /insufficient ?(funds|lamports)|no record of a prior credit|AccountNotFound|custom program error: 0x1\b/i,
    codes: [
      SOLANA_ERROR__INSTRUCTION_ERROR__INSUFFICIENT_FUNDS,
      SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
      SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE,
      SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
    ],
    isSpecific: true,
  },
  {
    code: 'SIMULATION_FAILED',
    pattern: /transaction simulation failed/i,
    codes: [SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE],
    isSpecific: false,
  },
];

function explain(
  code: PlainCode | NonNullable<ReturnType<typeof programErrorCode>>,
): PaymentErrorExplanation {
  const refusal = failure(code);
  const { title, text } = describeFailure(refusal);
  return { failure: refusal, title, text };
}

const USER_REJECTED = 4001;

function isUserRejection(link: unknown): boolean {
  return (link as { code?: unknown } | null)?.code === USER_REJECTED;
}

const TOKEN_PROGRAM_INSUFFICIENT_FUNDS = 1;

/** The token program and the system program refuse with the same number; only the latter speaks of lamports. */
function areTokensMissing(links: readonly unknown[], words: string): boolean {
  if (/insufficient lamports/i.test(words)) return false;
  const thrown = links.find((link) => isSolanaError(link, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM));
  if (thrown) return Number(thrown.context.code) === TOKEN_PROGRAM_INSUFFICIENT_FUNDS;
  return /custom program error: 0x1\b/i.test(words);
}

function programErrorIn(links: readonly unknown[], words: string) {
  const thrown = links.find((link) => isSolanaError(link, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM));
  const logged = /custom program error: 0x([0-9a-f]+)/i.exec(words)?.[1];
  if (thrown) return programErrorCode(Number(thrown.context.code));
  return logged === undefined ? undefined : programErrorCode(Number.parseInt(logged, 16));
}

/** Errors of kit, of `fetch` and of the language have texts for engineers; wallets write theirs for people. */
function isTechnical(error: unknown): boolean {
  return (
    isSolanaError(error) ||
    isNodeUnavailable(error) ||
    error instanceof TypeError ||
    error instanceof SyntaxError
  );
}

const MAX_LINKS = 8;

/** The error and what caused it; wallets put the cause into `error` instead of `cause`. */
function causes(error: unknown): unknown[] {
  const links: unknown[] = [];
  for (let link = error; link !== undefined && link !== null && links.length < MAX_LINKS; ) {
    links.push(link);
    const { cause, error: inner } = link as { cause?: unknown; error?: unknown };
    link = cause ?? inner;
  }
  return links;
}

function wordsOf(link: unknown): string[] {
  const { context } = link as { context?: { logs?: unknown } };
  const logs = Array.isArray(context?.logs) ? context.logs.map(String) : [];
  return [messageOf(link), ...logs];
}

function messageOf(link: unknown): string {
  if (typeof link === 'string') return link;
  const message = (link as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : '';
}
