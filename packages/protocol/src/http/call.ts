import { z } from 'zod';

/**
 * One HTTP call, for both sides. The server refuses what does not match `params`, `query` and `body`; both sides ignore
 * unknown members of an answer. Members that were added later have a default, so that a new page understands an older
 * server.
 */
export type HttpCall = {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** `:name` stands for a member of `params`. */
  readonly path: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  readonly limit: CallLimit;
};

/** Per client address. */
type CallLimit = { readonly max: number; readonly windowMs: number };

export type AnswerOf<Call extends HttpCall> = z.infer<Call['answer']>;
export type BodyOf<Call extends HttpCall> = Call['body'] extends z.ZodType
  ? z.input<Call['body']>
  : undefined;
export type ParamsOf<Call extends HttpCall> = Call['params'] extends z.ZodType
  ? z.input<Call['params']>
  : undefined;
export type QueryOf<Call extends HttpCall> = Call['query'] extends z.ZodType
  ? z.input<Call['query']>
  : undefined;

export const perMinute = (max: number): CallLimit => ({ max, windowMs: 60_000 });

/** The `status` of a successful call. Refusals come with an HTTP status and an error body. */
export const successSchema = z.literal('success');

/**
 * The body of every refused call. `error` is a code of the domain's registry, or one that a newer server has
 * added; the members beside it are the context of that code.
 */
export const errorBodySchema = z.looseObject({ error: z.string().min(1), message: z.string() });

/** The page of a list, starting at 1, which is also the default. */
export const pageQuerySchema = z.strictObject({
  page: z.coerce.number().int().min(1).max(10_000).default(1),
});

export function pageSchema<Row extends z.ZodType>(row: Row) {
  return z.object({
    status: successSchema,
    data: z.object({
      data: z.array(row),
      currentPage: z.int().positive(),
      /** 1 for an empty list. */
      lastPage: z.int().positive(),
    }),
  });
}
