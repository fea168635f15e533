import { describeFailure, failure, programErrorCode } from '@engulf/domain/errors/registry';

/** A node's transaction error as a text for people: the program's own words where the program refused. */
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
