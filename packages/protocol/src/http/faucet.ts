import { z } from 'zod';
import { transactionSignatureSchema, walletAddressSchema } from '../wire-values.ts';
import { type HttpCall, perMinute, successSchema } from './call.ts';

/** Test money of the embedded chain. Not registered in any other mode. */
export const requestFaucet = {
  method: 'POST',
  path: '/api/dev/faucet',
  body: z.strictObject({ wallet: walletAddressSchema }),
  answer: z.object({ status: successSchema, signature: transactionSignatureSchema }),
  limit: perMinute(10),
} as const satisfies HttpCall;
