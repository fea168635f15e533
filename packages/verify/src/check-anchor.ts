import { type CommitMemo, DECIDING_SLOTS } from '@engulf/chain/anchors/anchor-memo';
import type { ListedAnchor } from '@engulf/chain/anchors/read-anchors';
import type { PublicMatch } from '@engulf/protocol/http/matches';
import { toHex } from '@engulf/sim/keys';
import { firstPrevious, termsHash } from '@engulf/sim/recording/terms';
import { address, getAddressEncoder, getBase58Decoder } from '@solana/kit';
import type { ChainFacts } from './chain-facts.ts';
import type { Finding } from './checks.ts';
import type { OpenedRecording } from './open-recording.ts';

const UNPUBLISHED = 'its commitment was not on the chain before its block, so its time is only our word';

/**
 * Whether the commitment, the rules and the receipt key were on the chain before the block that decides, whether that block
 * follows from there, and whether the match continues the one before it in its lobby.
 */
export function checkAnchor(
  match: PublicMatch,
  { header }: OpenedRecording,
  chain: ChainFacts | undefined,
): Finding {
  if (match.isFree) return { fits: 'no money was at stake' };
  const { anchor, receiptKey } = header.bond;
  if (!anchor || !receiptKey) return { fits: 'it was not published before', open: [UNPUBLISHED] };
  if (match.anchor !== getBase58Decoder().decode(anchor.signature))
    return { wrong: 'the recording names another transaction for its commitment than was published' };
  const { commit, listed } = chain?.anchors ?? {};
  const unread = 'the transaction that published its commitment could not be read';
  if (!commit || !chain?.lobbyConfig) return { fits: 'it was published before', open: [unread] };
  const { memo, slot, accounts } = commit;
  const lobby = new Uint8Array(getAddressEncoder().encode(address(chain.lobbyConfig)));
  if (memo?.kind !== 'commit' || memo.commitment !== match.commitment)
    return { wrong: 'the transaction that it names published something else' };
  if (!accounts.some((account) => account === chain.lobbyConfig))
    return { wrong: 'its commitment was published for another lobby' };
  if (memo.terms !== toHex(termsHash({ lobby, rulesText: header.rulesText, receiptKey })))
    return { wrong: 'it was played by other rules, or signed by another key, than was published before' };
  if (memo.previous !== toHex(anchor.previous))
    return { wrong: 'it names another match before it than was published' };
  if (match.targetSlot !== (slot + DECIDING_SLOTS).toString())
    return {
      wrong: `slot ${slot} of its commitment decides slot ${slot + DECIDING_SLOTS}, not ${match.targetSlot}`,
    };
  if (!listed) return { fits: 'it was published before', open: ['what else was published cannot be listed'] };
  return checkOrder({ memo, slot, listed, spill: header.spill, first: toHex(firstPrevious(lobby)) });
}

type Order = {
  readonly memo: CommitMemo;
  readonly slot: bigint;
  readonly listed: readonly ListedAnchor[];
  readonly spill: bigint;
  readonly first: string;
};

function checkOrder({ memo, slot, listed, spill, first }: Order): Finding {
  const commits = listed.flatMap((one) => (one.memo.kind === 'commit' ? [{ ...one, memo: one.memo }] : []));
  const closings = listed.flatMap((one) => (one.memo.kind === 'close' ? [one.memo] : []));
  const { commitment, previous } = memo;
  if (commits.some((other) => other.memo.commitment === commitment && other.slot < slot))
    return { wrong: 'its commitment was published before, with another slot to decide' };
  const open: string[] = [];
  const rivals = commits.filter(
    (other) => other.memo.previous === previous && other.memo.commitment !== commitment,
  );
  if (rivals.length > 0) open.push(`${rivals.length} more were prepared in its place and not played`);
  if (previous === first) {
    if (spill > 0n)
      open.push(`it begins with ${spill} left over, as the first match of its lobby on the chain`);
    return { fits: 'it was published before its block, as the first of its lobby', open };
  }
  if (!commits.some((other) => other.memo.commitment === previous))
    open.push('the match before it was published by another key');
  const left = new Set(closings.filter((one) => one.commitment === previous).map((one) => one.spill));
  if (left.size === 0) open.push('the end of the match before it is not on the chain yet');
  else if (left.size > 1 || !left.has(spill))
    return {
      wrong: `it begins with ${spill} left over, but the match before it left ${[...left].join(' or ')}`,
    };
  const skipped = countSkipped(previous, commits, closings);
  const after = skipped > 0 ? `, after ${skipped} that nobody played` : '';
  return { fits: `it was published before its block${after}`, open };
}

/** How many in a row before it were closed without a recording. */
function countSkipped(
  previous: string,
  commits: readonly { readonly memo: CommitMemo }[],
  closings: readonly { readonly commitment: string; readonly finalHash: string | undefined }[],
): number {
  const before = new Map(commits.map(({ memo }) => [memo.commitment, memo.previous]));
  const unplayed = new Set(closings.flatMap((one) => (one.finalHash === undefined ? [one.commitment] : [])));
  const seen = new Set<string>();
  for (
    let at: string | undefined = previous;
    at !== undefined && unplayed.has(at) && !seen.has(at);
    at = before.get(at)
  )
    seen.add(at);
  return seen.size;
}
