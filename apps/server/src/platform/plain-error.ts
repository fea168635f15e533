import { DrizzleQueryError } from 'drizzle-orm/errors';

/** An error as data that every logger can write. */
export type PlainError = {
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly code?: string | number;
  readonly statusCode?: number;
  readonly cause?: PlainError;
  readonly errors?: readonly PlainError[];
};

const MAX_DEPTH = 5;

/**
 * Copies what helps to understand an error. Kit's errors have a frozen context, which pino's own serializer tries to
 * modify: it would throw inside the catch block that logs, and the line would be lost.
 */
export function plainError(error: unknown, depth = 0): PlainError {
  try {
    return copy(error, depth);
  } catch {
    return { type: 'unknown', message: 'an error that cannot be read' };
  }
}

function copy(error: unknown, depth: number): PlainError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, stack, cause } = error;
  const message = messageOf(error);
  const { code, context, errors } = error as {
    code?: unknown;
    context?: { __code?: unknown; statusCode?: unknown };
    errors?: unknown;
  };
  const known = context?.__code ?? code;
  return {
    type: name,
    message,
    stack: stack?.replace(error.message, () => message),
    ...((typeof known === 'string' || typeof known === 'number') && { code: known }),
    ...(typeof context?.statusCode === 'number' && { statusCode: context.statusCode }),
    ...(cause !== undefined && depth < MAX_DEPTH && { cause: plainError(cause, depth + 1) }),
    ...(Array.isArray(errors) &&
      depth < MAX_DEPTH && { errors: errors.map((one) => plainError(one, depth + 1)) }),
  };
}

/** The values of a query that failed stay out of the log: secrets of matches and codes are among them. */
function messageOf(error: Error): string {
  return error instanceof DrizzleQueryError ? `Failed query: ${error.query}` : error.message;
}
