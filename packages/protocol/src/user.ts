import { PLAYER_COLOUR_COUNT } from '@engulf/domain/profile/colour';
import { z } from 'zod';
import { type HttpCall, perMinute, successSchema } from './http/call.ts';
import { isoTimeSchema, rankSchema, rowIdSchema, walletAddressSchema } from './wire-values.ts';

/** The last rank that is computed exactly. */
export const LOWEST_RANK = 10_000;

/** The signed-in user, visible to that user only. */
const userSchema = z.object({
  id: rowIdSchema,
  name: z.string(),
  avatarUrl: z.string().nullable(),
  walletAddress: walletAddressSchema,
  /** Null before the first ranked game. LOWEST_RANK + 1 means that at least LOWEST_RANK players are better. */
  rank: rankSchema.nullable(),
  /** The number of the cell's colour in the palette; null: the one that follows from the id. */
  colour: z.int().nonnegative().nullable().default(null),
  /** On how many days the user has reached the goal of free lobbies; they decide the portrait's frame. */
  goalDays: z.int().nonnegative().default(0),
  /** The airdrop multiplier, shown with two decimals. */
  multiplier: z.number().nonnegative().default(1),
  isTwitterConnected: z.boolean(),
  referralCodeVerified: z.boolean(),
  isRaffleWinner: z.boolean(),
  showGuide: z.boolean(),
  /** May moderate the chat. The server decides by its own record, whatever the page believes. */
  isAdmin: z.boolean().default(false),
});

export type User = z.infer<typeof userSchema>;

/** The input of Sign In With Solana for the wallet. */
export const signInNonce = {
  method: 'GET',
  path: '/api/auth/nonce',
  answer: z.object({
    domain: z.string(),
    uri: z.string(),
    version: z.literal('1'),
    chainId: z.string(),
    nonce: z.string(),
    issuedAt: isoTimeSchema,
    expirationTime: isoTimeSchema,
    statement: z.string(),
  }),
  limit: perMinute(30),
} as const satisfies HttpCall;

/** Sets the cookie of the sign-in session. */
export const signIn = {
  method: 'POST',
  path: '/api/auth/sign-in',
  body: z.strictObject({
    address: walletAddressSchema,
    /** The bytes that the wallet signed: a message built from the nonce call's answer. */
    signedMessage: z.base64().min(1).max(8_192),
    /** Ed25519, 64 bytes. */
    signature: z.base64().length(88),
  }),
  answer: z.object({ status: successSchema, user: userSchema }),
  limit: perMinute(10),
} as const satisfies HttpCall;

export const signOut = {
  method: 'POST',
  path: '/api/auth/sign-out',
  answer: z.object({ status: successSchema }),
  limit: perMinute(30),
} as const satisfies HttpCall;

/** Ends all sessions of the user, in every browser. */
export const signOutEverywhere = {
  method: 'POST',
  path: '/api/auth/sign-out-everywhere',
  answer: z.object({ status: successSchema }),
  limit: perMinute(30),
} as const satisfies HttpCall;

export const readProfile = {
  method: 'GET',
  path: '/api/auth/profile',
  answer: z.object({ status: successSchema, user: userSchema }),
  limit: perMinute(120),
} as const satisfies HttpCall;

/** The username rules are the domain's, also for a name that is missing; this bound only keeps the body small. */
export const renameProfile = {
  method: 'PUT',
  path: '/api/auth/profile/name',
  body: z.strictObject({ name: z.string().max(1_000).default('') }),
  answer: z.object({ status: successSchema, newValue: z.string() }),
  limit: perMinute(20),
} as const satisfies HttpCall;

/** The body is a form with one file, the picture. */
export const updateAvatar = {
  method: 'PUT',
  path: '/api/auth/profile/avatar',
  answer: z.object({ status: successSchema, newValue: z.string() }),
  limit: perMinute(10),
} as const satisfies HttpCall;

/** The colour of the own cell. */
export const chooseColour = {
  method: 'PUT',
  path: '/api/auth/profile/colour',
  body: z.strictObject({
    colour: z
      .int()
      .min(0)
      .max(PLAYER_COLOUR_COUNT - 1)
      .nullable(),
  }),
  answer: z.object({ status: successSchema }),
  limit: perMinute(30),
} as const satisfies HttpCall;

/** The user has seen the guide. */
export const markGuided = {
  method: 'POST',
  path: '/api/auth/profile/guided',
  answer: z.object({ status: successSchema }),
  limit: perMinute(20),
} as const satisfies HttpCall;

/** Redeems an access code. Its form is checked by the domain. */
export const submitReferral = {
  method: 'POST',
  path: '/api/referral/submit',
  body: z.strictObject({ code: z.string().max(1_000).default('') }),
  answer: z.object({ status: successSchema, message: z.string() }),
  limit: perMinute(10),
} as const satisfies HttpCall;
