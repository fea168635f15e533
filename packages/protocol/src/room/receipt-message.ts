import { z } from 'zod';
import { countSchema } from '../wire-values.ts';
import { hexBytes } from './hex-bytes.ts';

/** About 140 bytes every five seconds. docs/fairness.md says what is signed. */
export const RECEIPT_MESSAGE = {
  number: 25,
  payload: z
    .object({
      part: countSchema.describe('Parts of the recording that are stored, its header included'),
      tick: countSchema.describe('Where they end'),
      slot: countSchema.describe('Of the newest block that the server knew'),
      chain: hexBytes(32).describe('The hash of the recording up to there'),
      blockhash: hexBytes(32),
      signature: hexBytes(64).describe('Ed25519, by the receipt key of the match'),
    })
    .describe(
      'What the server cannot deny later. Keep the latest: it must be in the recording. Only where money is at stake.',
    ),
} as const;
