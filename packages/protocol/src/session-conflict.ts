import { z } from 'zod';

/** Why a user cannot enter: another session of the same user is open. */
export const sessionConflictSchema = z.object({
  message: z.string(),
  instruction: z.string(),
  /** Seconds until the other session gives way. */
  sessionTTL: z.int().nonnegative(),
  isPaymentSession: z.boolean(),
  sessionStatus: z.string(),
});

export type SessionConflict = z.infer<typeof sessionConflictSchema>;
