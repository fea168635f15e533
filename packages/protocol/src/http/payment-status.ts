import { z } from 'zod';
import { joinTicketSchema, rowIdSchema } from '../wire-values.ts';
import { type HttpCall, perMinute } from './call.ts';

/** `error` is a code of the domain's registry. */
const errorDetails = z.object({ error: z.string().min(1), message: z.string() });

export const readPaymentStatus = {
  method: 'GET',
  path: '/api/payment/payment-status',
  query: z.strictObject({ paymentSessionId: rowIdSchema }),
  answer: z.discriminatedUnion('status', [
    z.object({ status: z.literal('payment_processing') }),
    z.object({ status: z.literal('ticketSent'), joinTicket: joinTicketSchema }),
    z.object({ status: z.literal('payment_timeout'), errorDetails }),
    z.object({ status: z.literal('payment_failed'), errorDetails }),
  ]),
  limit: perMinute(60),
} as const satisfies HttpCall;
