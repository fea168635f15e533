import { z } from 'zod';
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
