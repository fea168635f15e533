import { DrizzleQueryError } from 'drizzle-orm';

/** PostgreSQL does not answer, or lets nobody in. The message says why and what to do. */
export class DatabaseUnreachable extends Error {
  constructor(cause: Error) {
    super(`PostgreSQL cannot be used: ${reasonOf(cause)}. See to it, or to DATABASE_URL.`, { cause });
    this.name = 'DatabaseUnreachable';
  }
}

/** It did not take the connection. */
const NETWORK_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
];
/** Wrong user or password, no such database, no place left, and shutting down or not up yet. */
const REFUSALS = /^(28|3D|53300|57P)/;

/** The same error, with a sentence for the operator if a query failed because the database cannot be reached. */
export function explainUnreachable(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  for (let { cause } = error; cause instanceof Error; cause = cause.cause as Error | undefined) {
    const { code } = cause as { code?: unknown };
    if (typeof code !== 'string') continue;
    if (NETWORK_CODES.includes(code) || REFUSALS.test(code)) return new DatabaseUnreachable(cause);
  }
  return error;
}

/** Several addresses were tried if the message is empty. */
function reasonOf(cause: Error): string {
  return cause.message || String((cause as { code?: unknown }).code);
}
