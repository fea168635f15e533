import { z } from 'zod';
import { type HttpCall, perMinute, successSchema } from './call.ts';

/** The access code. The domain says which form one has. */
export const submitReferral = {
  method: 'POST',
  path: '/api/referral/submit',
  body: z.strictObject({ code: z.string().max(64) }),
  answer: z.object({ status: successSchema, message: z.string() }),
  limit: perMinute(10),
} as const satisfies HttpCall;
