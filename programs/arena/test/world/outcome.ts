import { FailedTransactionMetadata, type TransactionMetadata } from 'litesvm';
import { idl } from './idl-instruction.ts';

export type Result = TransactionMetadata | FailedTransactionMetadata;

/**
 * The outcome of a transaction as one word: `ok`, an error name of the IDL, or the runtime's name for it. Errors of other
 * programs show as `Custom(n)`.
 */
export function outcomeOf(result: Result): string {
  if (!(result instanceof FailedTransactionMetadata)) return 'ok';
  const error = result.err();
  if (typeof error === 'object' && 'index' in error && 'err' in error) {
    const inner = error.err();
    if (typeof inner === 'object' && 'code' in inner) {
      return idl.errors.find(({ code }) => code === inner.code)?.name ?? `Custom(${inner.code})`;
    }
  }
  return runtimeErrorName(result);
}

/** The runtime's own errors are numbers; their names appear only in the text of the whole result. */
function runtimeErrorName(result: FailedTransactionMetadata): string {
  const text = result.toString();
  const name = /err: (?:InstructionError\(\d+, )?(\w+)/.exec(text)?.[1];
  if (!name) throw new Error(`unknown outcome: ${text}`);
  return name;
}

export function expectOk(result: Result): TransactionMetadata {
  if (result instanceof FailedTransactionMetadata) {
    throw new Error(`expected success: ${outcomeOf(result)}\n${result.meta().logs().join('\n')}`);
  }
  return result;
}
