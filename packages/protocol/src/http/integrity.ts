import { z } from 'zod';
import { isoTimeSchema } from '../wire-values.ts';
import { type HttpCall, perMinute, successSchema } from './call.ts';

/** Reports a player of a match that both have played in. Once per match and player. */
export const reportPlayer = {
  method: 'POST',
  path: '/api/integrity/report',
  body: z.strictObject({
    /** Null: the match that the reporter entered last. */
    matchId: z.uuid().nullable(),
    /** The player's name. */
    player: z.string().min(1).max(64),
    reason: z.enum(['teaming', 'script', 'other']),
  }),
  answer: z.object({ status: successSchema, isRepeated: z.boolean() }),
  limit: perMinute(10),
} as const satisfies HttpCall;

/** What a player is told: warnings, and what came of its reports. */
export const readNotices = {
  method: 'GET',
  path: '/api/integrity/notices',
  answer: z.object({
    status: successSchema,
    warnings: z.array(isoTimeSchema),
    reports: z.object({ waiting: z.int(), acted: z.int(), dismissed: z.int() }),
  }),
  limit: perMinute(60),
} as const satisfies HttpCall;

/** The player has read them. */
export const markNoticesRead = {
  method: 'POST',
  path: '/api/integrity/notices/read',
  answer: z.object({ status: successSchema }),
  limit: perMinute(30),
} as const satisfies HttpCall;

/** Cases per month, for everybody. Not of the month that runs. */
export const readCaseNumbers = {
  method: 'GET',
  path: '/api/integrity/numbers',
  answer: z.object({
    status: successSchema,
    months: z.array(z.object({ month: z.string(), opened: z.int(), acted: z.int(), dismissed: z.int() })),
  }),
  limit: perMinute(60),
} as const satisfies HttpCall;
