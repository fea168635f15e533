import { type LobbyId, type TransactionSignature, transactionSignature } from '@engulf/domain/ids/entity-ids';
import type { Context } from '../../platform/context.ts';
import type { BatchRow } from '../../platform/database/money.ts';
import { batchSchema, type Refusal, type Signer, type SignerKeys } from '../signer/signer.ts';
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
  context: Pick<Context, 'db' | 'logger' | 'traces' | 'nowMs'>,
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
      const { awaitingSigner } = await dropBatch(context, batch, answer);
      reportRefusal(context, batch, answer, awaitingSigner);
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

/** Whose claims the signer can sign. Undefined if it does not answer. */
export async function askForKeys(
  { logger }: Pick<Context, 'logger'>,
  lobbyId: LobbyId,
  signer: Signer,
): Promise<SignerKeys | undefined> {
  try {
    return await signer.keys();
  } catch (error) {
    logger.error({ code: 'SIGNER_UNAVAILABLE', err: error, lobbyId }, 'the signer does not answer');
    return undefined;
  }
}

async function traceSigned(
  { db, traces }: Pick<Context, 'db' | 'traces'>,
  { id: batchId }: BatchRow,
  signature: TransactionSignature,
  askedAtMs: number,
): Promise<void> {
  if (!traces) return;
  for (const { entryId } of await entriesIn(db, batchId)) {
    traces.step(entryId, 'sign payout', askedAtMs, { batchId, signature });
  }
}

function reportRefusal(
  { logger }: Pick<Context, 'logger'>,
  { id: batchId, lobbyId }: BatchRow,
  refusal: Refusal,
  awaitingSigner: readonly string[],
): void {
  if (refusal.reason !== 'over-limit') {
    logger.error({ code: 'SIGNER_REFUSED', batchId, lobbyId, refusal }, 'the signer refused a batch');
    return;
  }
  const held = refusal.excess
    .filter(({ limit, payoutId }) => limit === 'payout' && !awaitingSigner.includes(payoutId))
    .map(({ payoutId }) => payoutId);
  const late = refusal.excess.filter(({ limit }) => limit !== 'payout');
  if (held.length > 0) {
    logger.error(
      { code: 'PAYOUT_HELD', payoutIds: held, lobbyId },
      'payouts are over the limit and wait for a person',
    );
  }
  if (awaitingSigner.length > 0) {
    logger.error(
      { code: 'PAYOUT_AWAITS_SIGNER', payoutIds: awaitingSigner, lobbyId },
      'released payouts wait for their line in the signer’s file released-payouts',
    );
  }
  if (late.length > 0) {
    logger.error(
      { code: 'PAYOUT_LIMIT_REACHED', late, lobbyId },
      'a limit per hour is reached, so payouts wait',
    );
  }
}
