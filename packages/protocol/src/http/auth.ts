import { z } from 'zod';
import { userSchema } from '../user.ts';
import { isoTimeSchema, walletAddressSchema } from '../wire-values.ts';
import { type HttpCall, perMinute, successSchema } from './call.ts';

/** The input of Sign In With Solana, ready for the wallet. */
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

/** Sets the session cookie. */
export const signIn = {
  method: 'POST',
  path: '/api/auth/sign-in',
  body: z.strictObject({
    address: walletAddressSchema,
    /** The bytes that the wallet signed: a message made of the nonce call's answer. */
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
