import {
  getSolanaErrorFromJsonRpcError,
  getSolanaErrorFromTransactionError,
  SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { describeTransactionError, explainPaymentError } from './error-texts.ts';

/** The error kit throws when a node refuses `sendTransaction`. */
function refusedByNode(err: unknown, logs: readonly string[] = []): unknown {
  return getSolanaErrorFromJsonRpcError({
    code: -32002,
    message: 'Transaction simulation failed',
    data: { err, logs, accounts: null, returnData: null, unitsConsumed: 0n },
  });
}

/** Production builds of kit leave the texts out; only codes and context remain. */
function withoutTexts(error: unknown): unknown {
  for (let link = error; link instanceof Error; link = link.cause) {
    link.message = 'Solana error; decode it elsewhere';
  }
  return error;
}

describe('explainPaymentError', () => {
  test.each<[string, unknown, string]>([
    ['a refusal by code', { code: 4001, message: 'No' }, 'Payment was cancelled. You can try again.'],
    [
      'a refusal by text',
      new Error('WalletSignTransactionError: User rejected the request.'),
      'Payment was cancelled. You can try again.',
    ],
    [
      'a refusal inside a wallet error',
      Object.assign(new Error('WalletSendTransactionError'), { error: { code: 4001 } }),
      'Payment was cancelled. You can try again.',
    ],
    ['a wallet text', 'insufficient funds for rent', 'Insufficient SOL balance to join this lobby.'],
    [
      'an empty wallet',
      new Error('Attempt to debit an account but found no record of a prior credit.'),
      'Insufficient SOL balance to join this lobby.',
    ],
    ['an expired blockhash', new Error('Blockhash not found'), 'Network congestion. Please try again.'],
    [
      'a resend',
      new Error('Transaction simulation failed: This transaction has already been processed'),
      'Transaction already processed. Please wait a moment...',
    ],
    [
      'a failed simulation',
      new Error('Transaction simulation failed: something else'),
      'Transaction simulation failed. Please check your balance and try again.',
    ],
    [
      'an error of the program in a wallet text',
      new Error(
        'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1774',
      ),
      'Incorrect platform treasury wallet provided.',
    ],
    [
      'an error of some other program',
      new Error('Transaction simulation failed: Error processing Instruction 0: custom program error: 0x2a'),
      'Transaction simulation failed. Please check your balance and try again.',
    ],
    ['a broken connection', new TypeError('Failed to fetch'), 'Payment failed. Please try again.'],
    [
      'a node that does not answer in time',
      new DOMException('The operation timed out.', 'TimeoutError'),
      'Payment failed. Please try again.',
    ],
    [
      'a gateway that gives up',
      new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
        headers: new Headers(),
        message: 'Gateway Timeout',
        statusCode: 504,
      }),
      'Payment failed. Please try again.',
    ],
    ['any other text', new Error('Ledger: locked'), 'Ledger: locked'],
    ['no text', undefined, 'Unknown error occurred'],
    ['an empty error', new Error(''), 'Unknown error occurred'],
  ])('explains %s', (_, error, text) => {
    expect(explainPaymentError(error).text).toBe(text);
  });

  test.each<[unknown, string]>([
    ['AlreadyProcessed', 'TRANSACTION_ALREADY_PROCESSED'],
    ['BlockhashNotFound', 'BLOCKHASH_NOT_FOUND'],
    ['AccountNotFound', 'INSUFFICIENT_FUNDS'],
    ['InsufficientFundsForFee', 'INSUFFICIENT_FUNDS'],
    [{ InsufficientFundsForRent: { account_index: 0 } }, 'INSUFFICIENT_FUNDS'],
    [{ InstructionError: [0, { Custom: 6009 }] }, 'PROGRAM_ENTRY_FEE_CHANGED'],
    [{ InstructionError: [0, { Custom: 6004n }] }, 'PROGRAM_INCORRECT_TREASURY'],
    [{ InstructionError: [0, 'InvalidAccountData'] }, 'SIMULATION_FAILED'],
  ])('explains a node that answers %o, with and without texts', (err, code) => {
    expect(explainPaymentError(refusedByNode(err)).failure.code).toBe(code);
    expect(explainPaymentError(withoutTexts(refusedByNode(err))).failure.code).toBe(code);
  });

  test('finds insufficient funds in the logs', () => {
    const logs = [
      'Program 11111111111111111111111111111111 invoke [1]',
      'Transfer: insufficient lamports 5, need 9',
    ];
    const error = withoutTexts(refusedByNode({ InstructionError: [0, { Custom: 1 }] }, logs));
    expect(explainPaymentError(error)).toMatchObject({
      failure: { code: 'INSUFFICIENT_FUNDS' },
      title: 'Payment Failed',
    });
  });

  test('in a token lobby names the token that is missing, unless it is SOL that is', () => {
    const withLog = (log: string) => refusedByNode({ InstructionError: [1, { Custom: 1 }] }, [log]);
    const explained = explainPaymentError(withLog('Program log: Error: insufficient funds'), 'GULP');
    expect(explained.text).toContain('too little GULP');
    const lamports = withLog('Transfer: insufficient lamports 5, need 9');
    expect(explainPaymentError(lamports, 'GULP').failure.code).toBe('INSUFFICIENT_FUNDS');
    expect(explainPaymentError(refusedByNode('InsufficientFundsForFee'), 'GULP').failure.code).toBe(
      'INSUFFICIENT_FUNDS',
    );
  });

  test('explains an expired blockhash', () => {
    const error = new SolanaError(SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED, {
      currentBlockHeight: 2n,
      lastValidBlockHeight: 1n,
    });
    expect(explainPaymentError(withoutTexts(error)).failure.code).toBe('BLOCKHASH_NOT_FOUND');
    const confirmed = getSolanaErrorFromTransactionError('BlockhashNotFound');
    expect(explainPaymentError(confirmed).failure.code).toBe('BLOCKHASH_NOT_FOUND');
  });

  test('does not loop on an error that is its own cause', () => {
    const error = new Error('round');
    error.cause = error;
    expect(explainPaymentError(error).text).toBe('round');
  });
});

describe('describeTransactionError', () => {
  test.each<[unknown, string]>([
    [{ InstructionError: [2, { Custom: 6007n }] }, 'Insufficient balance in lobby for reward claim.'],
    [{ InstructionError: [0n, { Custom: 1n }] }, '{"InstructionError":[0,{"Custom":1}]}'],
    ['AccountInUse', 'AccountInUse'],
    [null, 'null'],
  ])('describes %s', (error, text) => {
    expect(describeTransactionError(error)).toBe(text);
  });
});
