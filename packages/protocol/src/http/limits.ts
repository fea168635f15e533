import { BREAK_DAYS } from '@engulf/domain/limits/deposit-limit';
import { z } from 'zod';
import { baseUnitsSchema, isoTimeSchema, walletAddressSchema } from '../wire-values.ts';
import { type HttpCall, perMinute, successSchema } from './call.ts';

/** Null: no limit. */
const limitSchema = baseUnitsSchema.nullable();

const ownLimitsSchema = z.object({
  status: successSchema,
  /** Until then paid lobbies are closed to the player; null without a break. */
  breakUntil: isoTimeSchema.nullable(),
  /** One per currency that can be played in. */
  deposits: z.array(
    z.object({
      tokenSymbol: z.string(),
      tokenDecimals: z.int().min(0).max(18),
      /** Null for SOL. */
      tokenMint: walletAddressSchema.nullable(),
      limit: limitSchema,
      /** A higher limit, or none, that has been asked for. */
      pending: z.object({ limit: limitSchema, from: isoTimeSchema }).nullable(),
      /** Paid in the last 24 hours, seats that are held included. */
      deposited: baseUnitsSchema,
    }),
  ),
});

export const readLimits = {
  method: 'GET',
  path: '/api/limits',
  answer: ownLimitsSchema,
  limit: perMinute(60),
} as const satisfies HttpCall;

/** A stricter limit applies at once, a looser one after 24 hours. */
export const setDepositLimit = {
  method: 'PUT',
  path: '/api/limits/deposit',
  body: z.strictObject({ tokenMint: walletAddressSchema.nullable(), limit: limitSchema }),
  answer: ownLimitsSchema,
  limit: perMinute(30),
} as const satisfies HttpCall;

/** Cannot be undone or shortened. */
export const takeBreak = {
  method: 'POST',
  path: '/api/limits/break',
  body: z.strictObject({ days: z.int().min(BREAK_DAYS.min).max(BREAK_DAYS.max) }),
  answer: ownLimitsSchema,
  limit: perMinute(10),
} as const satisfies HttpCall;

export type OwnLimits = z.infer<typeof ownLimitsSchema>;
