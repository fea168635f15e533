import { DECIDING_SLOTS } from '@engulf/chain/anchors/anchor-memo';
import type { ListedAnchor } from '@engulf/chain/anchors/read-anchors';
import { transactionSignature } from '@engulf/domain/ids/entity-ids';
import type { PublicMatch } from '@engulf/protocol/http/matches';
import { numberedKey, toHex } from '@engulf/sim/keys';
import { termsHash } from '@engulf/sim/recording/terms';
import { type Address, getAddressEncoder, getBase58Decoder } from '@solana/kit';
import type { AnchorFacts } from '../chain-facts.ts';

const SIGNATURE = new Uint8Array(64).fill(9);
const PREVIOUS = numberedKey(6_001);
const SIGNER = getBase58Decoder().decode(numberedKey(6_002)) as Address;

export const RECEIPT_KEY = numberedKey(6_003);
export const LOBBY_CONFIG = getBase58Decoder().decode(numberedKey(6_004)) as Address;
export const ANCHOR = transactionSignature(getBase58Decoder().decode(SIGNATURE));

/** What a recording says about the transaction that published its commitment. */
export const BOND = {
  release: '0.1.0',
  receiptKey: RECEIPT_KEY,
  anchor: { signature: SIGNATURE, previous: PREVIOUS },
};

/** What the chain shows of a match that follows another one, which left `spillBefore`. */
export function anchorFacts(
  { commitment, targetSlot, rules, finalHash, spillAfter }: PublicMatch,
  spillBefore: bigint,
): AnchorFacts {
  const slot = BigInt(targetSlot!) - DECIDING_SLOTS;
  const lobby = new Uint8Array(getAddressEncoder().encode(LOBBY_CONFIG));
  const terms = toHex(termsHash({ lobby, rulesText: rules, receiptKey: RECEIPT_KEY }));
  const previous = toHex(PREVIOUS);
  const memo = { kind: 'commit', commitment, terms, previous } as const;
  const before = {
    kind: 'commit',
    commitment: previous,
    terms,
    previous: toHex(numberedKey(6_005)),
  } as const;
  const listed: ListedAnchor[] = [
    { signature: 'before', slot: 1n, memo: before },
    { signature: ANCHOR, slot, memo },
    {
      signature: 'close before',
      slot: slot + 50n,
      memo: { kind: 'close', commitment: previous, finalHash: toHex(numberedKey(1)), spill: spillBefore },
    },
    {
      signature: 'close',
      slot: slot + 500n,
      memo: { kind: 'close', commitment, finalHash: finalHash ?? undefined, spill: BigInt(spillAfter ?? 0) },
    },
  ];
  return { commit: { slot, signer: SIGNER, accounts: [SIGNER, LOBBY_CONFIG], memo }, listed };
}
