import { RAFFLE_RESULTS } from '@engulf/domain/social/raffle';
import { z } from 'zod';
import { isoTimeSchema, rowIdSchema, walletAddressSchema } from '../wire-values.ts';
import { type HttpCall, perMinute, successSchema } from './call.ts';

const taskSchema = z.object({
  _id: rowIdSchema,
  taskAction: z.string(),
  taskName: z.string(),
  taskDescription: z.string(),
  url: z.string().nullable().default(null),
  tweetId: z.string().nullable().default(null),
  tgUrl: z.string().nullable().default(null),
  isCompleted: z.boolean(),
  /** True after the user reported the task as done and until it is decided. */
  isQueued: z.boolean().default(false),
});

export type SocialTask = z.infer<typeof taskSchema>;

const taskListSchema = z.object({ data: z.array(taskSchema) });

/** For visitors: nothing is completed. */
export const listTasks = {
  method: 'GET',
  path: '/api/tasks/get-all',
  answer: taskListSchema,
  limit: perMinute(120),
} as const satisfies HttpCall;

export const listOwnTasks = {
  method: 'GET',
  path: '/api/tasks/get-all-auth',
  answer: taskListSchema,
  limit: perMinute(120),
} as const satisfies HttpCall;

/** Reports a task as done; whether it is, is verified afterwards. */
export const completeTask = {
  method: 'POST',
  path: '/api/tasks/complete',
  body: z.strictObject({ taskId: z.literal('').or(rowIdSchema).default('') }),
  answer: z.object({ status: z.literal('queued'), message: z.string() }),
  limit: perMinute(30),
} as const satisfies HttpCall;

/** Leads on to what the task is about. A link to open, not a call to make. */
export const openTask = {
  method: 'GET',
  path: '/api/tasks/open',
  query: z.strictObject({ taskId: rowIdSchema }),
  limit: perMinute(60),
} as const;

/** Where to send the browser so that X asks the user. */
export const startTwitterLogin = {
  method: 'GET',
  path: '/api/twitter/login',
  answer: z.object({
    data: z.object({ data: z.object({ url: z.string().nullable(), isTwitterConnected: z.boolean() }) }),
  }),
  limit: perMinute(10),
} as const satisfies HttpCall;

/** What X sent back with the browser. */
export const verifyTwitterLogin = {
  method: 'GET',
  path: '/api/twitter/verify',
  query: z.strictObject({ code: z.string().min(1).max(2_048), state: z.string().regex(/^[\w-]{1,256}$/) }),
  answer: z.object({ status: successSchema, message: z.string() }),
  limit: perMinute(10),
} as const satisfies HttpCall;

/** `result` is that of the running raffle if the user entered it, else that of the last one entered. */
export const readRaffle = {
  method: 'GET',
  path: '/api/dashboard/raffle',
  answer: z.object({
    status: successSchema,
    entered: z.boolean(),
    result: z.enum(RAFFLE_RESULTS),
    isNotified: z.boolean(),
    /** The day of the last raffle that was drawn. */
    lastDrawnDay: z.iso.date().nullable().default(null),
  }),
  limit: perMinute(120),
} as const satisfies HttpCall;

export const enterRaffle = {
  method: 'POST',
  path: '/api/dashboard/raffle',
  answer: z.object({ status: successSchema, message: z.string() }),
  limit: perMinute(20),
} as const satisfies HttpCall;

/** Says that the winner has seen the news. */
export const noteRaffleSeen = {
  method: 'POST',
  path: '/api/dashboard/raffle/seen',
  answer: z.object({ status: successSchema }),
  limit: perMinute(20),
} as const satisfies HttpCall;

/** The same for people. */
export const RAFFLE_PAGE_PATH = '/raffle/';

/** Everything that is needed to check a draw. Public, and during the day the list as it grows. */
export const readRaffleDay = {
  method: 'GET',
  path: '/api/raffle/:day',
  answer: z.object({
    day: z.iso.date(),
    rule: z.string(),
    drawnAt: isoTimeSchema.nullable(),
    slot: z.string().nullable(),
    blockhash: z.string().nullable(),
    winnersPerDay: z.int().positive(),
    entries: z.array(walletAddressSchema),
    winners: z.array(walletAddressSchema),
  }),
  limit: perMinute(60),
} as const satisfies HttpCall;
