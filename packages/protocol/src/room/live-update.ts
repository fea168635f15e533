import { z } from 'zod';
import { timestampMsSchema } from '../wire-values.ts';

const shared = { timestamp: timestampMsSchema, message: z.string().optional() };

/** One line of the live feed. Amounts are texts for people. */
export const liveUpdateSchema = z.discriminatedUnion('type', [
  z.object({
    ...shared,
    type: z.literal('kill'),
    killerName: z.string(),
    victimName: z.string(),
    reward: z.string(),
  }),
  z.object({
    ...shared,
    type: z.literal('cashout'),
    playerName: z.string(),
    amount: z.string(),
    /** Null while no price is known. */
    usdValue: z.string().nullable(),
  }),
  z.object({ ...shared, type: z.literal('disconnect'), playerName: z.string() }),
  z.object({ ...shared, type: z.literal('join'), playerName: z.string() }),
  z.object({ ...shared, type: z.literal('lobby_opened') }),
  z.object({ ...shared, type: z.literal('lobby_closing'), minutesRemaining: z.number().nonnegative() }),
  z.object({ ...shared, type: z.literal('lobby_closed') }),
]);

export type LiveUpdate = z.infer<typeof liveUpdateSchema>;

export const LIVE_FEED_LENGTH = 6;

/** Appends to a list that keeps only its latest entries. */
export function appendLatest<Entry>(list: readonly Entry[], entry: Entry, keep: number): readonly Entry[] {
  return [...list, entry].slice(-keep);
}
