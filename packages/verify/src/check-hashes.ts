import type { PublicMatch } from '@engulf/protocol/http/matches';
import { toHex } from '@engulf/sim/keys';
import { type ChainFacts, isSeen } from './chain-facts.ts';
import { countOf, type Finding } from './checks.ts';
import type { OpenedRecording } from './open-recording.ts';
import { readProofs } from './payout-proofs.ts';

/** Whether the recording is the one that payouts named while it was written, and that was closed on the chain. */
export function checkHashes(
  match: PublicMatch,
  { chains }: OpenedRecording,
  chain: ChainFacts | undefined,
): Finding {
  if (match.isFree) return { fits: 'nothing was paid beside its hashes' };
  if (!chain) return { fits: 'its hashes', open: ['no node could be asked for hashes of the recording'] };
  const known = new Set(chains.map(toHex));
  const isRunning = match.state !== 'ended';
  let named = 0;
  let ahead = 0;
  for (const [signature, claim] of chain.claims) {
    for (const { commitment, hash } of isSeen(claim) ? readProofs(claim.memo) : []) {
      if (commitment !== match.commitment || hash === undefined) continue;
      if (known.has(hash)) named++;
      // Of a part that is not public yet.
      else if (isRunning) ahead++;
      else return { wrong: `payout ${signature} carries another hash of the recording` };
    }
  }
  const closings = (chain.anchors?.listed ?? []).flatMap(({ memo }) =>
    memo.kind === 'close' && memo.commitment === match.commitment ? [memo] : [],
  );
  for (const { finalHash, spill } of closings) {
    if (finalHash !== (match.finalHash ?? undefined))
      return {
        wrong: isRunning
          ? 'it was closed on the chain, but is said to run'
          : 'another recording was closed on the chain after the match',
      };
    if (spill.toString() !== match.spillAfter)
      return { wrong: `${spill} was left on the chain, but ${match.spillAfter} is claimed` };
  }
  if (isRunning) {
    const later = ['whether its end is on the chain'];
    if (ahead > 0)
      later.push(`whether hashes that ${countOf(ahead, 'payout names', 'payouts name')} are in it`);
    return {
      fits: `${countOf(named, 'payout names', 'payouts name')} what is public of the recording`,
      later,
    };
  }
  const fits = `${countOf(named, 'payout', 'payouts')} and ${closings.length > 0 ? 'its end' : 'no end'} on the chain name this recording`;
  return chain.anchors?.listed && closings.length === 0
    ? { fits, open: ['its end is not on the chain yet'] }
    : { fits };
}
