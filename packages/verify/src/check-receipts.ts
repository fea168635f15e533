import type { PublicMatch } from '@engulf/protocol/http/matches';
import { toHex } from '@engulf/sim/keys';
import { receiptBytes } from '@engulf/sim/recording/receipt';
import type { Rules } from '@engulf/sim/rules';
import {
  type Address,
  getBase58Decoder,
  getPublicKeyFromAddress,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit';
import { countOf, type Finding } from './checks.ts';
import type { KeptMatch, KeptReceipt } from './kept-receipts.ts';
import type { OpenedRecording } from './open-recording.ts';
import type { Wave } from './waves.ts';

/** Whether the recording contains what was promised to a visitor while the match ran. */
export async function checkReceipts(
  match: PublicMatch,
  recording: OpenedRecording,
  kept: KeptMatch | undefined,
  waves: readonly Wave[] = [],
): Promise<Finding> {
  if (!kept) return { fits: 'no receipts were kept here' };
  if (kept.commitment !== match.commitment)
    return { wrong: 'another commitment was sent to you when you came in' };
  const { receiptKey } = recording.header.bond;
  if (!receiptKey) {
    if (kept.receipts.length > 0)
      return { wrong: 'receipts were sent to you, but the recording names no key' };
    return { fits: 'the commitment is the one that was sent to you' };
  }
  const signed = await keepSigned(kept, receiptKey);
  const isRunning = match.state !== 'ended';
  const good = isRunning ? signed.filter(({ part }) => part <= recording.segmentCount + 1) : signed;
  const fraud = findFraud(good, recording);
  if (fraud) return { wrong: fraud };
  const late = findLatePledge(good, waves, recording.header.rules);
  if (late) return { wrong: late };
  const pace = paceOf(good, recording.header.rules.stepsPerSecond);
  const fits = `${good.length} receipts that were sent to you are in it${pace}`;
  if (!isRunning) return { fits };
  const ahead = signed.length - good.length;
  const withheld = findWithheld(signed, recording);
  return {
    fits,
    open: withheld ? [withheld] : [],
    later: ahead > 0 ? [`whether ${countOf(ahead, 'receipt')} of later minutes will be in it`] : [],
  };
}

/** How long after an epoch what was recorded of it is public, with a minute of patience. */
const PUBLIC_AFTER_SECONDS = 660;

/** A receipt that shows that more should be public by now. */
function findWithheld(
  receipts: readonly KeptReceipt[],
  { header, end }: OpenedRecording,
): string | undefined {
  const { epochs, stepsPerSecond } = header.rules;
  const seconds = Math.max(0, ...receipts.map(({ tick }) => tick)) / stepsPerSecond;
  const publicSeconds = end.finalTick / stepsPerSecond;
  if (seconds < publicSeconds + epochs.seconds + PUBLIC_AFTER_SECONDS) return undefined;
  return `a receipt is of minute ${Math.floor(seconds / 60)}, but only ${Math.floor(publicSeconds / 60)} minutes are public: more should be`;
}

/** Those that the key has signed. Anybody can make up the others. */
export async function keepSigned(
  { commitment, receipts }: Pick<KeptMatch, 'commitment' | 'receipts'>,
  receiptKey: Uint8Array,
): Promise<KeptReceipt[]> {
  const key = await getPublicKeyFromAddress(getBase58Decoder().decode(receiptKey) as Address);
  const good: KeptReceipt[] = [];
  for (const receipt of receipts) {
    const bytes = receiptBytes(fromHex(commitment), {
      part: receipt.part,
      tick: receipt.tick,
      slot: BigInt(receipt.slot),
      chain: fromHex(receipt.chain),
      blockhash: fromHex(receipt.blockhash),
    });
    if (await verifySignature(key, fromHex(receipt.signature) as SignatureBytes, bytes)) good.push(receipt);
  }
  return good;
}

/** What signed receipts prove against a recording. */
export function findFraud(
  receipts: readonly KeptReceipt[],
  { chains, segmentCount }: Pick<OpenedRecording, 'chains' | 'segmentCount'>,
): string | undefined {
  for (const { part, tick, chain } of receipts) {
    // The header and the segments; an end that follows is not signed.
    if (part > segmentCount + 1)
      return `a receipt was signed for ${part} parts up to tick ${tick}, but the recording was cut after ${segmentCount + 1}`;
    if (toHex(chains[part - 1]!) !== chain)
      return `a receipt was signed for another recording up to tick ${tick}`;
  }
  return undefined;
}

/**
 * A receipt names the newest slot of its time: no later wave may depend on a block that existed by then. The slot of a wave may
 * have been asked for as long before it was written as the rules allow.
 */
function findLatePledge(
  receipts: readonly KeptReceipt[],
  waves: readonly Wave[],
  { beacons, stepsPerSecond }: Rules,
): string | undefined {
  const askedTicks = Math.round(beacons.pledgeSeconds * stepsPerSecond);
  for (const { tick, slot } of receipts) {
    const late = waves.find((wave) => tick + askedTicks <= wave.tick && wave.decides <= BigInt(slot));
    if (late)
      return `a receipt shows that slot ${late.decides} of wave ${late.number} had passed when it was named`;
  }
  return undefined;
}

/** Two receipts of one match that cannot both be true. */
export function findContradiction(
  receipts: readonly KeptReceipt[],
): readonly [KeptReceipt, KeptReceipt] | undefined {
  const seen = new Map<number, KeptReceipt>();
  for (const receipt of receipts) {
    const other = seen.get(receipt.part);
    if (other && (other.chain !== receipt.chain || other.tick !== receipt.tick)) return [other, receipt];
    seen.set(receipt.part, receipt);
  }
  return undefined;
}

const SLOT_SECONDS = 0.4;

/** How long the play between the first and the last of them took, by the slots of the chain. */
export function paceOf(receipts: readonly KeptReceipt[], stepsPerSecond: number): string {
  const [first, last] = [receipts[0], receipts.at(-1)];
  if (!first || !last || last.tick <= first.tick || first.slot === 0 || last.slot <= first.slot) return '';
  const played = (last.tick - first.tick) / stepsPerSecond;
  const passed = (last.slot - first.slot) * SLOT_SECONDS;
  return `, ${played.toFixed(0)} s of play in about ${passed.toFixed(0)} s of the chain`;
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
