import { z } from 'zod';

const days = (usual: number, { min, max }: { readonly min: number; readonly max: number }) =>
  z.coerce.number().int().min(min).max(max).default(usual);

/*
 * For how long the worker keeps what neither a verification nor a dispute nor the books need. Everything else is kept for good.
 */
export const retentionVariables = z.object({
  KEEP_CHAT_DAYS: days(30, { min: 1, max: 3_650 }),
  /** More would not count: what is older says little about how somebody plays now. Less, and slow collusion is not seen. */
  KEEP_EVIDENCE_DAYS: days(90, { min: 30, max: 90 }),
  /** Keyed hashes of addresses and browsers, without which cases cannot tell who shares one. */
  KEEP_ADDRESSES_DAYS: days(90, { min: 1, max: 90 }),
  /** The charts of the console show a month. */
  KEEP_CHARTS_DAYS: days(35, { min: 31, max: 3_650 }),
});

export function shapeRetention(read: z.output<typeof retentionVariables>) {
  return {
    chat: read.KEEP_CHAT_DAYS,
    evidence: read.KEEP_EVIDENCE_DAYS,
    addresses: read.KEEP_ADDRESSES_DAYS,
    charts: read.KEEP_CHARTS_DAYS,
  };
}
