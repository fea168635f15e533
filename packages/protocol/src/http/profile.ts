import { z } from 'zod';
import { userSchema } from '../user.ts';
import { type HttpCall, perMinute, successSchema } from './call.ts';

export const readProfile = {
  method: 'GET',
  path: '/api/auth/profile',
  answer: z.object({ status: successSchema, user: userSchema }),
  limit: perMinute(120),
} as const satisfies HttpCall;

/** The domain's username rules decide; the bound here only keeps nonsense out. */
export const renameProfile = {
  method: 'PUT',
  path: '/api/auth/profile/name',
  body: z.strictObject({ name: z.string().max(64) }),
  answer: z.object({ status: successSchema, newValue: z.string() }),
  limit: perMinute(20),
} as const satisfies HttpCall;
