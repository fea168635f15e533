import { z } from 'zod';
import { type HttpCall, perMinute, successSchema } from './http/call.ts';
import { rankSchema, rowIdSchema, walletAddressSchema } from './wire-values.ts';

/** The signed-in user, as only that user sees it. */
export const userSchema = z.object({
  id: rowIdSchema,
  name: z.string(),
  avatarUrl: z.string().nullable(),
  walletAddress: walletAddressSchema,
  /** Null before the first ranked game. */
  rank: rankSchema.nullable(),
  /** The airdrop multiplier, shown with two decimals. */
  multiplier: z.number().nonnegative(),
  isTwitterConnected: z.boolean(),
  referralCodeVerified: z.boolean(),
  isRaffleWinner: z.boolean(),
  showGuide: z.boolean(),
});

export type User = z.infer<typeof userSchema>;

export const readProfile = {
  method: 'GET',
  path: '/api/auth/profile',
  answer: z.object({ status: successSchema, user: userSchema }),
  limit: perMinute(120),
} as const satisfies HttpCall;

/** The username rules are the domain's; this bound only keeps the body small. */
export const renameProfile = {
  method: 'PUT',
  path: '/api/auth/profile/name',
  body: z.strictObject({ name: z.string().max(64) }),
  answer: z.object({ status: successSchema, newValue: z.string() }),
  limit: perMinute(20),
} as const satisfies HttpCall;

/** Redeems an access code. Its form is checked by the domain. */
export const submitReferral = {
  method: 'POST',
  path: '/api/referral/submit',
  body: z.strictObject({ code: z.string().max(64) }),
  answer: z.object({ status: successSchema, message: z.string() }),
  limit: perMinute(10),
} as const satisfies HttpCall;
