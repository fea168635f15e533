import { z } from 'zod';

/**
 * One HTTP call, for both sides. The server refuses what `query` and `body` do not describe; either side
 * ignores members of an answer that it does not know.
 */
export type HttpCall = {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  readonly limit: CallLimit;
};

/** Per client address. */
export type CallLimit = { readonly max: number; readonly windowMs: number };

export type AnswerOf<Call extends HttpCall> = z.infer<Call['answer']>;
export type BodyOf<Call extends HttpCall> = Call['body'] extends z.ZodType
  ? z.input<Call['body']>
  : undefined;
export type QueryOf<Call extends HttpCall> = Call['query'] extends z.ZodType
  ? z.input<Call['query']>
  : undefined;

export const perMinute = (max: number): CallLimit => ({ max, windowMs: 60_000 });

/** The `status` of a call that did what it was asked. Refusals come with an HTTP status and an error body. */
export const successSchema = z.literal('success');
