import { z } from 'zod';
import { rowIdSchema } from './wire-values.ts';

/** Why a user cannot enter: another entry of the same user is open. */
export const sessionConflictSchema = z.object({
  message: z.string(),
  instruction: z.string(),
  /** Seconds until the other entry expires. */
  sessionTTL: z.int().nonnegative(),
  /** The other entry. A window that plays or pays recognises its own. */
  sessionId: rowIdSchema,
  isPaymentSession: z.boolean(),
  sessionStatus: z.string(),
  /** The player of the other entry has lost the connection, so no other window plays. */
  isDisconnected: z.boolean().optional(),
  /** The payment that is being verified: any window of the user may wait for its seat. */
  payment: z
    .object({ sessionId: rowIdSchema, lobbyId: rowIdSchema, paymentSessionId: rowIdSchema })
    .optional(),
});

export type SessionConflict = z.infer<typeof sessionConflictSchema>;

/** The error body of the three codes that report such a conflict. */
export const sessionConflictBodySchema = sessionConflictSchema.extend({
  error: z.enum(['ACTIVE_SESSION_EXISTS', 'EXISTING_SESSION_DETECTED', 'SESSION_CONFLICT']),
});
