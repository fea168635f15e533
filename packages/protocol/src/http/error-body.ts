import { z } from 'zod';
import { sessionConflictSchema } from '../session-conflict.ts';

/**
 * What every refused call answers. `error` is a code of the domain's registry, or one that a newer server has
 * added; the members beside it are the context of that code.
 */
export const errorBodySchema = z.looseObject({ error: z.string().min(1), message: z.string() });

/** The body of the three codes that say that another session of the user is open. */
export const sessionConflictBodySchema = sessionConflictSchema.extend({
  error: z.enum(['ACTIVE_SESSION_EXISTS', 'EXISTING_SESSION_DETECTED', 'SESSION_CONFLICT']),
});

export type ErrorBody = z.infer<typeof errorBodySchema>;
export type SessionConflictBody = z.infer<typeof sessionConflictBodySchema>;
