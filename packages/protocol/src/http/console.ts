import { z } from 'zod';
import { isoTimeSchema, walletAddressSchema } from '../wire-values.ts';
import { type HttpCall, perMinute, successSchema } from './call.ts';

/*
 * The console of operators. The server decides what each role sees and may do, and describes it as sections of a few kinds; the
 * page only draws them, so a new table needs no new message.
 */

export const CONSOLE_VIEWS = [
  'now',
  'money',
  'players',
  'player',
  'entry',
  'matches',
  'chat',
  'switches',
  'integrity',
  'audit',
] as const;
const viewSchema = z.enum(CONSOLE_VIEWS);

const toneSchema = z.enum(['good', 'warn', 'bad', 'quiet']);

/** Within the console, `?view=…`, or a page of this site. Never another site, never a script. */
const linkSchema = z.string().regex(/^(?:\?|\/(?!\/))/);

const cellSchema = z.union([
  z.string(),
  z.number(),
  z.null(),
  z.object({
    text: z.string(),
    tone: toneSchema.optional(),
    to: linkSchema.optional(),
    /** A time: shown as its age, with `text` as the whole. */
    at: isoTimeSchema.optional(),
  }),
]);

/** A change that this role may ask for. What `asks` names is typed by the operator. */
const actionSchema = z.object({
  label: z.string(),
  command: z.string(),
  positionals: z.array(z.string()),
  options: z.record(z.string(), z.union([z.string(), z.literal(true)])),
  asks: z.array(
    z.object({
      /** An option, or `+` for one more positional. */
      name: z.string(),
      label: z.string(),
      value: z.string(),
    }),
  ),
});

const actions = z.array(actionSchema).default([]);

const sectionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('table'),
    title: z.string(),
    note: z.string().optional(),
    columns: z.array(z.object({ key: z.string(), label: z.string(), isNumber: z.boolean().optional() })),
    rows: z.array(z.object({ cells: z.record(z.string(), cellSchema), actions })),
    empty: z.string(),
    /** Leads to the rows before these. */
    older: linkSchema.optional(),
  }),
  z.object({
    kind: z.literal('fields'),
    title: z.string(),
    fields: z.array(z.object({ label: z.string(), value: cellSchema })),
    actions,
  }),
  z.object({
    kind: z.literal('path'),
    title: z.string(),
    steps: z.array(
      z.object({
        title: z.string(),
        text: z.string(),
        state: z.enum(['done', 'now', 'stopped', 'ahead']),
        at: isoTimeSchema.optional(),
        to: linkSchema.optional(),
      }),
    ),
  }),
  z.object({
    kind: z.literal('chart'),
    title: z.string(),
    unit: z.string(),
    /** The first point and the time between two; null where nothing was measured. */
    from: isoTimeSchema,
    stepMs: z.int().positive(),
    series: z.array(z.object({ label: z.string(), points: z.array(z.number().nullable()) })),
  }),
]);

export const readConsole = {
  method: 'GET',
  path: '/api/console',
  answer: z.object({
    status: successSchema,
    name: z.string(),
    wallet: walletAddressSchema,
    role: z.enum(['operator', 'admin']),
    views: z.array(z.object({ view: viewSchema, title: z.string() })),
  }),
  limit: perMinute(60),
} as const satisfies HttpCall;

export const readConsoleView = {
  method: 'GET',
  path: '/api/console/view',
  query: z.strictObject({
    view: viewSchema,
    id: z.string().max(64).optional(),
    q: z.string().max(128).optional(),
    before: z.string().max(32).optional(),
    range: z.enum(['day', 'month']).optional(),
  }),
  answer: z.object({
    status: successSchema,
    title: z.string(),
    asOf: isoTimeSchema,
    sections: z.array(sectionSchema),
  }),
  limit: perMinute(240),
} as const satisfies HttpCall;

/** Nor halves of characters, which the database does not store. */
const ONE_LINE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;
const wordSchema = z.string().min(1).max(200).regex(ONE_LINE);

/** Tries a change and says what it would do, and what to sign for it. */
export const showConsoleChange = {
  method: 'POST',
  path: '/api/console/changes',
  body: z.strictObject({
    command: z.string().max(40),
    positionals: z.array(wordSchema).max(20),
    options: z.record(z.string().regex(/^[a-z][a-z-]{0,30}$/), z.union([wordSchema, z.literal(true)])),
    reason: z.string().trim().min(3).max(300).regex(ONE_LINE),
  }),
  answer: z.object({
    status: successSchema,
    nonce: z.string(),
    lines: z.array(z.string()),
    /** Exactly this is signed. */
    text: z.string(),
    expiresAt: isoTimeSchema,
  }),
  limit: perMinute(30),
} as const satisfies HttpCall;

export const signConsoleChange = {
  method: 'POST',
  path: '/api/console/changes/sign',
  body: z.strictObject({ nonce: z.string().max(64), signature: z.base64().max(128) }),
  answer: z.object({ status: successSchema, reports: z.array(z.string()) }),
  limit: perMinute(30),
} as const satisfies HttpCall;

export type ConsoleStaff = z.infer<typeof readConsole.answer>;
export type ConsoleView = z.infer<typeof viewSchema>;
export type ConsoleCell = z.infer<typeof cellSchema>;
export type ConsoleAction = z.infer<typeof actionSchema>;
export type ConsoleSection = z.infer<typeof sectionSchema>;
export type ConsoleTable = Extract<ConsoleSection, { kind: 'table' }>;
export type ConsoleChange = z.infer<typeof showConsoleChange.body>;
