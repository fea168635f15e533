import { z } from 'zod';
import { successSchema } from './call.ts';

/** Which page of a list: the first is 1, and is meant when none is named. */
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
