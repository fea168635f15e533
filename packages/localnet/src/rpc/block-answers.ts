import { stringifyJsonWithBigInts } from '@solana/rpc-spec-types';
import type { Journal } from '../journal/journal.ts';
import { commitmentOf, type Finality, readCurrentSlot } from '../node/finality.ts';
import { failure, RPC_ERROR, type RpcError } from '../node/json-rpc.ts';
import type { Surfpool } from '../node/surfpool.ts';

type BlockAnswer = { readonly resultJson: string } | { readonly error: RpcError };
type BlockMethod = (params: readonly unknown[]) => Promise<BlockAnswer>;

const MAX_BLOCKS = 500_000n;

/**
 * The methods about blocks: their numbers and hashes, without transactions. Surfpool counts blocks as final later than
 * we do and forgets them with its process, so a hash that was shown once is kept in the journal.
 */
export function blockAnswers(deps: {
  surfpool: Surfpool;
  journal: Journal;
  finality: Finality;
}): Readonly<Record<string, BlockMethod>> {
  const { surfpool, journal, finality } = deps;
  const newestSlot = async (config: unknown) =>
    finality.newestSlotAt(commitmentOf(config), await readCurrentSlot(surfpool));

  return {
    // No slot is skipped here.
    getBlocks: async ([first, last, config]) => {
      const [from, to] = [slotOf(first), slotOf(last)];
      if (from === undefined || to === undefined || to - from > MAX_BLOCKS) {
        return failure(RPC_ERROR.invalidParams, 'expected two slots');
      }
      const newest = await newestSlot(config);
      const slots: bigint[] = [];
      for (let slot = from; slot <= to && slot <= newest; slot++) slots.push(slot);
      return ok(slots);
    },

    getBlock: async ([number, config]) => {
      const slot = slotOf(number);
      if (slot === undefined) return failure(RPC_ERROR.invalidParams, 'expected a slot');
      const { transactionDetails } = (config ?? {}) as { transactionDetails?: unknown };
      if (transactionDetails !== 'none') {
        return failure(RPC_ERROR.invalidParams, 'blocks are shown without their transactions only');
      }
      if (slot > (await newestSlot(config))) {
        return failure(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`);
      }
      const blockhash = journal.blockhashOf(slot) ?? (await readBlockhash(surfpool, slot));
      if (blockhash === undefined) return failure(BLOCK_CLEANED_UP, `Block ${slot} cleaned up`);
      journal.putBlockhash(slot, blockhash);
      return ok({ blockHeight: slot, blockTime: null, blockhash, parentSlot: slot - 1n });
    },
  };
}

/** As nodes answer. */
const BLOCK_CLEANED_UP = -32_001;
const BLOCK_NOT_AVAILABLE = -32_004;

async function readBlockhash(surfpool: Surfpool, slot: bigint): Promise<string | undefined> {
  const config = { commitment: 'confirmed', transactionDetails: 'none', rewards: false };
  const reply = await surfpool.call('getBlock', [slot, config]);
  if ('error' in reply) return undefined;
  return (reply.result as { blockhash: string } | null)?.blockhash;
}

function slotOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
}

function ok(result: unknown): BlockAnswer {
  return { resultJson: stringifyJsonWithBigInts(result) };
}
