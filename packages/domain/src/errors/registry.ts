import { ACCESS_ERRORS, PROFILE_ERRORS, RAFFLE_ERRORS, SOCIAL_ERRORS, TASK_ERRORS } from './account.ts';
import { CHAT_ERRORS, REQUEST_ERRORS, ROOM_ERRORS } from './connection.ts';
import { JOIN_ERRORS, PAYMENT_ERRORS } from './entry.ts';
import { PROGRAM_ERRORS, type ProgramErrorCode } from './program.ts';
import { type Err, err } from './result.ts';

/**
 * Every refusal a person can meet. Codes travel between releases of client and server and stand in stored
 * rows, so a code is never renamed, removed or given another meaning; new ones are added.
 */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...JOIN_ERRORS,
  ...PAYMENT_ERRORS,
  ...PROGRAM_ERRORS,
  ...ROOM_ERRORS,
  ...CHAT_ERRORS,
  ...PROFILE_ERRORS,
  ...ACCESS_ERRORS,
  ...SOCIAL_ERRORS,
  ...TASK_ERRORS,
  ...RAFFLE_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** The values for the placeholders of a code's text; undefined for a text without any. */
type ErrorContext<Code extends ErrorCode> = (typeof ERRORS)[Code]['text'] extends (
  context: infer Context,
) => string
  ? Context
  : undefined;

/** One refusal. The type distributes, so that switching on `code` narrows `context`. */
export type Failure<Code extends ErrorCode = ErrorCode> = Code extends ErrorCode
  ? { readonly code: Code; readonly context: ErrorContext<Code> }
  : never;

type ContextArguments<Code extends ErrorCode> =
  ErrorContext<Code> extends undefined ? [] : [context: ErrorContext<Code>];

export function failure<Code extends ErrorCode>(
  code: Code,
  ...[context]: ContextArguments<Code>
): Failure<Code> {
  return { code, context } as Failure<Code>;
}

/** A refused `Result`. */
export function refuse<Code extends ErrorCode>(
  code: Code,
  ...context: ContextArguments<Code>
): Err<Failure<Code>> {
  return err(failure(code, ...context));
}

type ErrorDescription = { httpStatus: number | null; title: string; text: string };

export function describeFailure({ code, context }: Failure): ErrorDescription {
  const { httpStatus, title, text } = ERRORS[code];
  // `Failure` pairs each code with its own context, but the compiler cannot follow that through a lookup.
  return { httpStatus, title, text: typeof text === 'string' ? text : text(context as never) };
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

const FIRST_PROGRAM_ERROR_NUMBER = 6000;
const PROGRAM_ERROR_CODES = Object.keys(PROGRAM_ERRORS) as ProgramErrorCode[];

/** The code for a custom error number of the on-chain program. */
export function programErrorCode(errorNumber: number): ProgramErrorCode | undefined {
  return PROGRAM_ERROR_CODES[errorNumber - FIRST_PROGRAM_ERROR_NUMBER];
}
