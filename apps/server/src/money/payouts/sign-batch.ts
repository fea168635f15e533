import { type TransactionSignature, transactionSignature } from '@engulf/domain/ids/entity-ids';
import type { Context } from '../../platform/context.ts';
import type { BatchRow } from '../../platform/database/money.ts';
import { batchSchema, type Refusal, type Signer } from '../signer/signer.ts';
import { entriesIn } from './batched-entries.ts';
import { dropBatch, noteSignature } from './payout-states.ts';

/** A batch that the signer has signed. */
export type SignedBatch = BatchRow & { readonly signature: TransactionSignature; readonly wire: string };

/**
 * Has a stored batch signed, unless it already is. The signer always gives the same batch the same signature, so after a
 * crash it is asked again and that signature is looked up; no other claim is signed. Undefined if the signer refused or
 * did not answer.
 */
export async function getSigned(
  context: Context,
  batch: BatchRow,
  signer: Signer,
): Promise<SignedBatch | undefined> {
  const { db, logger } = context;
  const { id: batchId, lobbyId, signature, wire } = batch;
  if (signature !== null && wire !== null) return { ...batch, signature, wire };
  const askedAtMs = context.nowMs();
  try {
    const answer = await signer.sign(batchSchema.parse(batch.description));
    if (answer.kind === 'refused') {
      await dropBatch(context, batch, answer);
      reportRefusal(context, batch, answer);
      return undefined;
    }
    const signed = { signature: transactionSignature(answer.signature), wire: answer.wire };
    await noteSignature(db, batch, signed);
    await traceSigned(context, batch, signed.signature, askedAtMs);
    return { ...batch, ...signed };
  } catch (error) {
    logger.error(
      { code: 'SIGNER_UNAVAILABLE', err: error, batchId, lobbyId },
      'a batch could not be signed and stays open',
    );
    return undefined;
  }
}

async function traceSigned(
  { db, traces }: Context,
  { id: batchId }: BatchRow,
  signature: TransactionSignature,
  askedAtMs: number,
): Promise<void> {
  if (!traces) return;
  for (const { entryId } of await entriesIn(db, batchId)) {
    traces.step(entryId, 'sign payout', askedAtMs, { batchId, signature });
  }
}

function reportRefusal({ logger }: Context, { id: batchId, lobbyId }: BatchRow, refusal: Refusal): void {
  if (refusal.reason !== 'over-limit') {
    logger.error({ code: 'SIGNER_REFUSED', batchId, lobbyId, refusal }, 'the signer refused a batch');
    return;
  }
  const held = refusal.excess.filter(({ limit }) => limit === 'payout').map(({ payoutId }) => payoutId);
  const late = refusal.excess.filter(({ limit }) => limit !== 'payout');
  if (held.length > 0) {
    logger.error(
      { code: 'PAYOUT_HELD', payoutIds: held, lobbyId },
      'payouts are over the limit and wait for a person',
    );
  }
  if (late.length > 0) {
    logger.error(
      { code: 'PAYOUT_LIMIT_REACHED', late, lobbyId },
      'a limit per hour is reached, so payouts wait',
    );
  }
}
