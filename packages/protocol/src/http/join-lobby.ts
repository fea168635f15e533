import type { ErrorCode } from '@engulf/domain/errors/registry';
import { z } from 'zod';
import {
  baseUnitsSchema,
  joinTicketSchema,
  rowIdSchema,
  transactionSignatureSchema,
} from '../wire-values.ts';
import { type HttpCall, perMinute, successSchema } from './call.ts';

/** Sent in place of a signature when the chain already had the transaction. */
export const SIGNATURE_ALREADY_PROCESSED = 'True';

/** An invitation: the id of a lobby follows and, after a #, the code of a semi-private one, which no server is sent. */
export const JOIN_PATH = '/join/';

/** A client polls an undecided payment for a quarter of an hour. */
export const PAYMENT_POLL = { everyMs: 5_000, maxAttempts: 180 } as const;

/** The domain validates the code; this bound only keeps the body small. */
const lobbyCodeSchema = z.string().max(1_000);

const answerMembers = {
  sessionId: rowIdSchema,
  lobbyId: rowIdSchema,
  entryFee: baseUnitsSchema,
  message: z.string(),
};

const ticketAnswerSchema = z.object({
  ...answerMembers,
  status: z.literal('ticketSent'),
  shouldPoll: z.literal(false),
  joinTicket: joinTicketSchema,
});

/** Asks for a seat. Called again with the transaction's signature, claims the payment for it. */
export const joinLobby = {
  method: 'POST',
  path: '/api/serverBrowser/join-lobby',
  body: z
    .strictObject({
      selectedLobbyId: rowIdSchema,
      transactionHash: z
        .union([transactionSignatureSchema, z.literal(SIGNATURE_ALREADY_PROCESSED)])
        .optional(),
      isPaymentConfirmation: z.literal(true).optional(),
      lobbyCode: lobbyCodeSchema.optional(),
    })
    .refine(
      (body) => (body.transactionHash === undefined) === (body.isPaymentConfirmation === undefined),
      'transactionHash and isPaymentConfirmation come together',
    ),
  answer: z.discriminatedUnion('status', [
    z.object({ ...answerMembers, status: z.literal('created'), shouldPoll: z.literal(false) }),
    z.object({
      ...answerMembers,
      status: z.literal('payment_processing'),
      shouldPoll: z.literal(true),
      paymentSessionId: rowIdSchema,
    }),
    ticketAnswerSchema,
  ]),
  limit: perMinute(30),
} as const satisfies HttpCall;

/** Waits for others, without paying, in a paid lobby that is nearly empty. Who is called has half a minute to pay. */
export const gatherPlayers = {
  method: 'POST',
  path: '/api/serverBrowser/gather',
  body: z.strictObject({ lobbyId: rowIdSchema, lobbyCode: lobbyCodeSchema.optional() }),
  answer: z.object({ status: successSchema }),
  limit: perMinute(30),
} as const satisfies HttpCall;

export const leaveGathering = {
  method: 'POST',
  path: '/api/serverBrowser/leave-gathering',
  answer: z.object({ status: successSchema }),
  limit: perMinute(30),
} as const satisfies HttpCall;

/** A ticket back into the running match of the caller, whose body waits for a few seconds. */
export const rejoinMatch = {
  method: 'POST',
  path: '/api/serverBrowser/rejoin',
  /** With the address of the room, which may have moved. */
  answer: ticketAnswerSchema.extend({ baseGame: z.string().nullable() }),
  // When a process ends, all of its players at one address ask twice a second, because their bodies do not wait long.
  limit: perMinute(300),
} as const satisfies HttpCall;

/** `error` is a code of the domain's registry. */
const errorDetailsOr = (error: ErrorCode) =>
  z.object({ error: z.string().min(1), message: z.string() }).default({ error, message: '' });

export const readPaymentStatus = {
  method: 'GET',
  path: '/api/payment/payment-status',
  query: z.strictObject({ paymentSessionId: rowIdSchema }),
  answer: z.discriminatedUnion('status', [
    z.object({ status: z.literal('payment_processing') }),
    z.object({ status: z.literal('ticketSent'), joinTicket: joinTicketSchema }),
    z.object({ status: z.literal('payment_timeout'), errorDetails: errorDetailsOr('PAYMENT_TIMEOUT') }),
    z.object({
      status: z.literal('payment_failed'),
      errorDetails: errorDetailsOr('PAYMENT_VERIFICATION_FAILED'),
    }),
  ]),
  limit: perMinute(60),
} as const satisfies HttpCall;

/** Frees the seat after the wallet did not pay. */
export const reportPaymentFailure = {
  method: 'POST',
  path: '/api/serverBrowser/payment-failure',
  body: z.strictObject({ lobbyId: rowIdSchema }),
  answer: z.object({ status: successSchema }),
  limit: perMinute(30),
} as const satisfies HttpCall;

export const validateLobbyCode = {
  method: 'POST',
  path: '/api/serverBrowser/validate-lobby-code',
  body: z.strictObject({ lobbyCode: lobbyCodeSchema, lobbyId: rowIdSchema }),
  answer: z.object({ valid: z.boolean(), message: z.string() }),
  // Slow enough that trying all codes takes longer than a lobby exists.
  limit: perMinute(10),
} as const satisfies HttpCall;
