import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { MatchId } from '@engulf/domain/ids/entity-ids';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { toHex } from '@engulf/sim/keys';
import { createReader, readVar } from '@engulf/sim/recording/bytes';
import { receiptBytes } from '@engulf/sim/recording/receipt';
import { getBase58Encoder } from '@solana/kit';
import { eq } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { matches } from '../platform/database/games.ts';
import { noteStored, readSecrets } from './match-states.ts';
import type { StoredPart } from './recording-parts.ts';

/** How old the newest block may be that a receipt names. */
const BLOCK_FOR_MS = 1_000;
const NO_BLOCK: NamedBlock = { slot: 0n, blockhash: new Uint8Array(32) };

type NamedBlock = { readonly slot: bigint; readonly blockhash: Uint8Array };
type Signer = { readonly key: KeyObject; readonly commitment: Uint8Array };

/** Signs what is stored of the recordings of matches for money. Their keys never leave this process. */
export function createReceipts(context: Pick<Context, 'db' | 'chain' | 'logger' | 'processId' | 'nowMs'>) {
  const { db, chain, logger, nowMs } = context;
  const signers = new Map<MatchId, Promise<Signer | undefined>>();
  let newest = NO_BLOCK;
  let readAtMs = Number.NEGATIVE_INFINITY;

  const newestBlock = async () => {
    if (nowMs() - readAtMs < BLOCK_FOR_MS) return newest;
    readAtMs = nowMs();
    try {
      const answer = await chain.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
      const blockhash = new Uint8Array(getBase58Encoder().encode(answer.value.blockhash));
      newest = { slot: answer.context.slot, blockhash };
    } catch (error) {
      logger.warn({ code: 'NODE_UNAVAILABLE', err: error }, 'a receipt names an older block');
    }
    return newest;
  };

  const openSigner = async (id: MatchId): Promise<Signer | undefined> => {
    const [match] = await db
      .select({ commitment: matches.commitment, receiptKey: matches.receiptKey })
      .from(matches)
      .where(eq(matches.id, id));
    const seed = (await readSecrets(db, id))?.receiptSeed;
    if (!match?.receiptKey || !seed) return undefined;
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: toBase64url(match.receiptKey), d: toBase64url(seed) };
    const key = createPrivateKey({ format: 'jwk', key: jwk });
    return { key, commitment: Buffer.from(match.commitment, 'hex') };
  };

  const signerOf = (id: MatchId): Promise<Signer | undefined> => {
    const known = signers.get(id) ?? openSigner(id);
    signers.set(id, known);
    known.catch(() => signers.delete(id));
    return known;
  };

  return {
    /**
     * The newest block when a segment is complete. Storing it may take long, and a later block beside its tick would say that
     * the slots of portals named meanwhile had passed.
     */
    nameBlock: async (id: MatchId): Promise<NamedBlock> => {
      const signer = await signerOf(id).catch(() => undefined);
      return signer ? newestBlock() : NO_BLOCK;
    },
    /** Undefined for a match that has none or has ended, and if the database does not answer: the next one says more. */
    issue: async (
      id: MatchId,
      { partCount: part, chain: hash, body }: StoredPart,
      { slot, blockhash }: NamedBlock,
    ): Promise<RoomServerPayload<'receipt'> | undefined> => {
      try {
        const signer = await signerOf(id);
        if (!signer) return undefined;
        // A process that was taken for dead wakes up: others close the recording, and this part may not be in it.
        if (!(await noteStored(context, id, toHex(hash)))) return undefined;
        const reader = createReader(body);
        const tick = readVar(reader) + readVar(reader);
        const bytes = receiptBytes(signer.commitment, { part, tick, chain: hash, slot, blockhash });
        return {
          part,
          tick,
          slot: Number(slot),
          chain: toHex(hash),
          blockhash: toHex(blockhash),
          signature: toHex(sign(null, bytes, signer.key)),
        };
      } catch (error) {
        logger.warn({ code: 'RECEIPT_FAILED', err: error, matchId: id }, 'no receipt for a segment');
        return undefined;
      }
    },
    forget: (id: MatchId): void => void signers.delete(id),
  };
}

function toBase64url(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url');
}
