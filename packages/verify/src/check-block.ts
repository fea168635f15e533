import type { PublicMatch } from '@engulf/protocol/http/matches';
import type { PublicPart } from '@engulf/sim/keys';
import { getBase58Decoder } from '@solana/kit';
import type { ChainFacts } from './chain-facts.ts';
import { CLOCK_TOLERANCE_MS } from './check-entries.ts';
import type { Finding } from './checks.ts';
import { isForMoney } from './match-money.ts';

/** Whether the block that the match depends on is the chain's, and the first from the named slot on. */
export function checkBlock(
  match: PublicMatch,
  used: PublicPart | null,
  chain: ChainFacts | undefined,
): Finding {
  if (!used) {
    if (match.block !== null) return { wrong: 'the recording does not use the block that was published' };
    return isForMoney(match)
      ? { wrong: 'a match for money does not depend on a block' }
      : { fits: 'it used no block' };
  }
  const blockhash = getBase58Decoder().decode(used.blockhash);
  if (match.block?.slot !== used.slot.toString() || match.block.blockhash !== blockhash) {
    return { wrong: 'the recording uses another block than was published' };
  }
  if (match.targetSlot === null || used.slot < BigInt(match.targetSlot)) {
    return { wrong: `slot ${used.slot} is before the slot that was named` };
  }
  const fits = `block ${used.slot} is on the chain`;
  if (!chain) return { fits, open: [`no node could be asked for block ${used.slot}`] };
  if (!chain.block) {
    return { fits, open: [`the node does not show block ${used.slot}: ask one that keeps all history`] };
  }
  if (chain.block.slot !== used.slot || chain.block.blockhash !== blockhash) {
    return { wrong: `the chain's block is ${chain.block.blockhash} in slot ${chain.block.slot}` };
  }
  const { timeMs } = chain.block;
  if (timeMs === undefined) return { fits };
  // Also false for a time that cannot be read.
  if (timeMs + CLOCK_TOLERANCE_MS >= Date.parse(match.committedAt)) {
    return { fits: `${fits} and not older than the commitment` };
  }
  const madeAt = new Date(timeMs).toISOString();
  return { wrong: `block ${used.slot} is of ${madeAt}, but the commitment only of ${match.committedAt}` };
}
