import { randomUUID } from 'node:crypto';
import { buildClaimMessage, claimantOf } from '@engulf/chain/payouts/claim-message';
import {
  type Base64EncodedWireTransaction,
  compileTransaction,
  getBase64Encoder,
  getPublicKeyFromAddress,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type Signature,
  verifySignature,
} from '@solana/kit';
import { z } from 'zod';
import { isSealed, SEAL_HEADER, seal } from './seal.ts';
import { answerSchema, type Batch, batchSchema, describedBy, keysSchema, type Signer } from './signer.ts';

const DEADLINE_MS = 10_000;

/** Asks a signer in another process. Whatever it signed is compared with what it was asked to sign. */
export function createRemoteSigner(url: URL, secret: string): Signer {
  return {
    keys: async () => {
      // A random question, so that an old answer cannot be given again.
      const text = await ask('/keys', randomUUID());
      return keysSchema.parse(JSON.parse(text));
    },
    sign: async (batch) => {
      const text = await ask('/sign', JSON.stringify(z.encode(batchSchema, batch)));
      const answer = answerSchema.parse(JSON.parse(text));
      if (answer.kind === 'signed' && !(await isSignedClaim(batch, answer))) {
        throw new Error('The signer signed something else');
      }
      return answer;
    },
  };

  async function ask(path: string, body: string): Promise<string> {
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', [SEAL_HEADER]: seal(secret, body) },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const text = await response.text();
    if (response.status === 403) throw new Error('The signer has another SIGNER_SECRET');
    if (response.status !== 200) throw new Error(`The signer answered with status ${response.status}`);
    if (!isSealed(response.headers.get(SEAL_HEADER), secret, body, text)) {
      throw new Error('The answer of the signer has no valid seal');
    }
    return text;
  }
}

async function isSignedClaim(
  batch: Batch,
  { signature, wire }: { readonly signature: Signature; readonly wire: Base64EncodedWireTransaction },
): Promise<boolean> {
  const asked = compileTransaction(await buildClaimMessage(describedBy(batch))).messageBytes;
  const signed = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
  if (Buffer.compare(Buffer.from(asked), Buffer.from(signed.messageBytes)) !== 0) return false;
  if (getSignatureFromTransaction(signed) !== signature) return false;
  const claimant = claimantOf(batch);
  const bytes = signed.signatures[claimant];
  return bytes != null && verifySignature(await getPublicKeyFromAddress(claimant), bytes, asked);
}
