import { describeFailure, ERRORS, failure, isErrorCode } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { AnswerOf, BodyOf, HttpCall, ParamsOf, QueryOf } from '@engulf/protocol/http/call';
import { errorBodySchema } from '@engulf/protocol/http/call';
import { noteServerTime } from '../server-clock.ts';

/** A call that was refused, or got no usable answer. */
export type ApiFailure = {
  /** A code of the error registry, or one that only a newer server knows. */
  readonly code: string;
  readonly message: string;
  /** Null when there was no answer at all. */
  readonly httpStatus: number | null;
  /** The context of the code, or the answer that was not understood. */
  readonly body: unknown;
};

type CallInput<Call extends HttpCall> = (BodyOf<Call> extends undefined ? unknown : { body: BodyOf<Call> }) &
  (QueryOf<Call> extends undefined ? unknown : { query: QueryOf<Call> }) &
  (ParamsOf<Call> extends undefined ? unknown : { params: ParamsOf<Call> }) & {
    /** The body of a call that takes files. */
    form?: FormData;
    /** After that it is given up, and so is its connection. */
    withinMs?: number;
  };

/** A server that accepts a call and never answers must not block the page for ever. */
const ANSWERED_WITHIN_MS = 30_000;
const UPLOADED_WITHIN_MS = 120_000;
const TOO_MANY_REQUESTS = 429;

export async function callApi<Call extends HttpCall>(
  call: Call,
  input: CallInput<Call>,
): Promise<Result<AnswerOf<Call>, ApiFailure>> {
  const { body, query, params, form, withinMs } = input as {
    body?: unknown;
    query?: Record<string, string | number>;
    params?: Record<string, string>;
    form?: FormData;
    withinMs?: number;
  };
  const askedAtMs = Date.now();
  const response = await fetch(`${pathText(call.path, params)}${queryText(query)}`, {
    method: call.method,
    credentials: 'same-origin',
    signal: AbortSignal.timeout(withinMs ?? (form ? UPLOADED_WITHIN_MS : ANSWERED_WITHIN_MS)),
    ...(form && { body: form }),
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  }).catch(() => undefined);
  if (response) noteServerTime(response.headers.get('date'), askedAtMs);
  const text = await response?.text().catch(() => undefined);
  if (!response || text === undefined) return err({ ...plainFailure('NETWORK_ERROR'), httpStatus: null });

  const answer = parseJson(text);
  if (!response.ok) return err(readErrorBody(response, answer));
  const parsed = call.answer.safeParse(answer);
  if (parsed.success) return ok(parsed.data as AnswerOf<Call>);
  console.error(`unexpected answer from ${call.method} ${call.path}`, parsed.error);
  return err({ ...plainFailure('REQUEST_FAILED'), httpStatus: response.status, body: answer });
}

/**
 * Whether the server could not be reached or failed (behind a proxy, a restart looks like this), or the address is rate
 * limited: neither says anything about the call itself.
 */
export function isUnanswered({ httpStatus }: ApiFailure): boolean {
  return httpStatus === null || httpStatus >= 500 || httpStatus === TOO_MANY_REQUESTS;
}

/** The text of a toast: the registry's title with the server's message. */
export function describeApiFailure({ code, message }: ApiFailure): { title: string; text: string } {
  return { title: isErrorCode(code) ? ERRORS[code].title : 'Error', text: message };
}

/** The query cache expects failures to be thrown. */
class ApiError extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

export function answerOrThrow<Value>(result: Result<Value, ApiFailure>): Value {
  if (result.ok) return result.value;
  throw new ApiError(result.error);
}

function readErrorBody(response: Response, answer: unknown): ApiFailure {
  const { status, statusText } = response;
  // A proxy may send no code.
  const { data: body } = errorBodySchema.partial().safeParse(answer);
  if (body?.error !== undefined) {
    const { error: code, message } = body;
    return { code, message: message || textOf(code), httpStatus: status, body };
  }
  const { text } = describeFailure(failure('HTTP_ERROR', { status, statusText }));
  return { code: 'HTTP_ERROR', message: body?.message || text, httpStatus: status, body: undefined };
}

function textOf(code: string): string {
  const text = isErrorCode(code) ? ERRORS[code].text : undefined;
  return typeof text === 'string' ? text : ERRORS.REQUEST_FAILED.text;
}

function plainFailure(code: 'NETWORK_ERROR' | 'REQUEST_FAILED') {
  return { code, message: ERRORS[code].text, body: undefined };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pathText(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
}

function queryText(query: Record<string, string | number> = {}): string {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}
