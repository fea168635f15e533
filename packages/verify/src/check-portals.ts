import type { PublicMatch } from '@engulf/protocol/http/matches';
import { hasBeacons } from '@engulf/sim/beacons';
import { getBase58Decoder } from '@solana/kit';
import { type BeaconBlock, type ChainFacts, isSeen } from './chain-facts.ts';
import { countOf, type Finding } from './checks.ts';
import { isForMoney } from './match-money.ts';
import type { OpenedRecording } from './open-recording.ts';
import type { ReplayedMatch } from './replay-match.ts';
import type { Wave } from './waves.ts';

/** More than one wave in so many without a block is no accident. */
const RARE = 20;
/** Clocks of the chain are rough, and a block takes seconds to be confirmed. */
const OLD_MS = 15_000;

/**
 * Whether the portals of each wave were placed by a block that did not exist when it was named. The replay has shown that the
 * named slots follow the rule, and that the portals follow from the blocks.
 */
export function checkPortals(
  match: PublicMatch,
  { header }: OpenedRecording,
  replayed: ReplayedMatch,
  chain: ChainFacts | undefined,
): Finding {
  if (!isForMoney(match)) return { fits: 'no money depended on the portals' };
  if (!hasBeacons(header.rules)) {
    if (header.rulesText.includes('"beacons"'))
      return { wrong: 'a match for money was played under rules by which no block places the portals' };
    return { fits: 'not checked', open: ['of an older version: who knew the secret knew all portals'] };
  }
  const { waves, keyed, missed } = replayed.portals;
  const joined = joinsOf(match, replayed, chain);
  const known = outOfOrder(waves, header.publicPart?.slot ?? 0n) ?? namedLate(waves, joined);
  if (known) return { wrong: known };
  const open: string[] = [];
  let unread = 0;
  for (const { number, decides, block: taken } of waves) {
    if (!taken) continue;
    const block = chain?.beacons?.get(taken.slot);
    if (!block) {
      unread++;
      continue;
    }
    if (block.blockhash !== getBase58Decoder().decode(taken.blockhash))
      return { wrong: `the portals of wave ${number} come from a block that the chain does not have` };
    if (block.parentSlot >= decides)
      return { wrong: `block ${taken.slot} of wave ${number} is not the first from slot ${decides} on` };
    const ageMs = ageOf(block, taken.tick, joined, header.rules.stepsPerSecond);
    if (ageMs > OLD_MS)
      open.push(
        `the block of wave ${number} was ${Math.round(ageMs / 1000)} s old when it was taken: so long its portals could be known`,
      );
  }
  const without = `${countOf(missed, 'wave')} of ${keyed + missed} opened without a block: we could know where`;
  if (unread > 0) open.push(`the node does not show ${countOf(unread, 'block')} of the portals`);
  if (missed * RARE > keyed + missed) open.push(without);
  return {
    fits: `${countOf(keyed, 'wave')} of portals came from blocks that did not exist when they were named`,
    open,
    notes: missed > 0 ? [without] : [],
  };
}

/** A payment, and when its player joined: by then the chain had come at least so far. */
type Joined = { readonly id: string; readonly tick: number; readonly slot: bigint; readonly timeMs: number };

function joinsOf(match: PublicMatch, { entries }: ReplayedMatch, chain: ChainFacts | undefined): Joined[] {
  return match.entries.flatMap(({ id, payment }) => {
    const tick = entries.get(id)?.tick;
    const seen = payment ? chain?.joins.get(payment.signature) : undefined;
    if (tick === undefined || !isSeen(seen)) return [];
    return [{ id, tick, slot: seen.slot, timeMs: seen.timeMs ?? Number.NaN }];
  });
}

/** How old a block was at least when it was taken: no match runs faster than time passes. */
function ageOf(
  { timeMs }: BeaconBlock,
  tick: number,
  joined: readonly Joined[],
  stepsPerSecond: number,
): number {
  const ages = joined
    .filter((join) => join.tick <= tick)
    .map((join) => join.timeMs + ((tick - join.tick) * 1000) / stepsPerSecond - (timeMs ?? Number.NaN));
  return Math.max(0, ...ages.filter((age) => !Number.isNaN(age)));
}

function namedLate(waves: readonly Wave[], joined: readonly Joined[]): string | undefined {
  for (const { id, tick, slot } of joined) {
    const late = waves.find((wave) => tick <= wave.tick && wave.decides <= slot);
    if (late)
      return `slot ${late.decides} of wave ${late.number} had passed when it was named: entry ${id}, which had joined by then, was paid for in slot ${slot}`;
  }
  return undefined;
}

function outOfOrder(waves: readonly Wave[], from: bigint): string | undefined {
  let last = from;
  for (const { number, decides } of waves) {
    if (decides <= last) return `slot ${decides} of wave ${number} had passed before it was named`;
    last = decides;
  }
  return undefined;
}
