import type { PublicMatch } from '@engulf/protocol/http/matches';
import { commitmentOf, matchKeyOf, toHex } from '@engulf/sim/keys';
import { rulesText } from '@engulf/sim/recording/header';
import { getBase58Decoder } from '@solana/kit';
import { type Claims, checkPayments, checkSettlement } from './check-money.ts';
import { type OpenedRecording, openRecording } from './open-recording.ts';
import { type ReplayedMatch, replayMatch } from './replay-match.ts';

/** What can be asked of the chain about a match. */
export type ChainFacts = {
  /** The first block from the slot on that the match named; undefined if the node does not have it any more. */
  readonly block: { readonly slot: bigint; readonly blockhash: string } | undefined;
  readonly claims: Claims;
};

export type CheckName = 'recording' | 'commitment' | 'block' | 'replay' | 'settlement' | 'payments';

export type Verdict = {
  /** True only if everything was checked and fits. */
  readonly isRight: boolean;
  /** The check that found something, with what it found. */
  readonly wrong: { readonly check: CheckName; readonly what: string } | undefined;
  /** What could not be checked yet. */
  readonly open: readonly string[];
  /** For people. */
  readonly line: string;
};

/**
 * Checks one ended match from its recording, from what the server says about it and from the chain. Runs in browsers,
 * too. No input is trusted.
 */
export async function verifyMatch(
  match: PublicMatch,
  recordingBytes: Uint8Array,
  chain: ChainFacts,
): Promise<Verdict> {
  const open: string[] = [];
  const wrong = (check: CheckName, what: string): Verdict => ({
    isRight: false,
    wrong: { check, what },
    open,
    line: `Match ${match.id} DOES NOT FIT. ${check}: ${what}.`,
  });

  const opened = await openRecording(recordingBytes);
  if (!opened.ok) return wrong('recording', `${opened.error.problem} at byte ${opened.error.position}`);
  const recording = opened.value;
  const mismatch = compareFacts(match, recording);
  if (mismatch) return wrong('recording', mismatch);
  if (match.secret === null) return wrong('commitment', 'the secret has not been published');
  const secret = fromHex(match.secret);
  if (!secret || toHex(commitmentOf(secret)) !== match.commitment) {
    return wrong('commitment', 'the published secret is not the one that was committed to');
  }
  const block = checkBlock(match, recording, chain);
  if (block.complaint) return wrong('block', block.complaint);
  open.push(...block.open);

  const replay = await replayMatch(recording, matchKeyOf(secret, recording.header.publicPart));
  if (replay.kind === 'damaged') {
    return wrong('recording', `${replay.fault.problem} at byte ${replay.fault.position}`);
  }
  if (replay.kind === 'differs') {
    const { what, tick } = replay.difference;
    return wrong('replay', `${what}, first between tick ${replay.fromTick} and tick ${tick}`);
  }
  const replayed = replay.match;
  const ending = checkEnding(match, replayed);
  if (ending) return wrong('replay', ending);
  const settlement = checkSettlement(match, replayed);
  if (settlement) return wrong('settlement', settlement);
  const payments = checkPayments(match, chain.claims);
  if (payments.complaint) return wrong('payments', payments.complaint);
  if (payments.waiting > 0) open.push(`${payments.waiting} payouts are not on the chain yet`);
  const line = praise(match, recording, replayed, payments.paid);
  return {
    isRight: open.length === 0,
    wrong: undefined,
    open,
    line: open.length === 0 ? line : `${line} Open: ${open.join('; ')}.`,
  };
}

/** Whether the recording is the one that was announced. */
function compareFacts(match: PublicMatch, { header, end, finalHash }: OpenedRecording): string | undefined {
  if (toHex(finalHash) !== match.finalHash) return 'its hash is not the published one';
  if (header.matchId !== match.id) return `it is of another match, ${header.matchId}`;
  if (toHex(header.commitment) !== match.commitment) return 'it names another commitment';
  if (rulesText(header.rules) !== match.rules) return 'it was played under other rules than published';
  if (end.finalTick !== match.finalTick) return `it ends at tick ${end.finalTick}, not ${match.finalTick}`;
  return end.isCut === match.isCut ? undefined : 'the server and the recording disagree about how it ended';
}

function checkBlock(
  match: PublicMatch,
  { header }: OpenedRecording,
  chain: ChainFacts,
): { readonly complaint: string | undefined; readonly open: readonly string[] } {
  const used = header.publicPart;
  const complain = (complaint: string) => ({ complaint, open: [] });
  if (!used) {
    if (match.block !== null) return complain('the recording does not use the block that was published');
    return match.isFree
      ? { complaint: undefined, open: [] }
      : complain('a match for money does not depend on a block');
  }
  const blockhash = getBase58Decoder().decode(used.blockhash);
  if (match.block?.slot !== used.slot.toString() || match.block.blockhash !== blockhash) {
    return complain('the recording uses another block than was published');
  }
  if (match.targetSlot === null || used.slot < BigInt(match.targetSlot)) {
    return complain(`slot ${used.slot} is before the slot that was named`);
  }
  if (!chain.block) return { complaint: undefined, open: [`the node no longer has block ${used.slot}`] };
  if (chain.block.slot === used.slot && chain.block.blockhash === blockhash) {
    return { complaint: undefined, open: [] };
  }
  return complain(`the chain's block is ${chain.block.blockhash} in slot ${chain.block.slot}`);
}

function checkEnding({ finalTick, isCut }: PublicMatch, replayed: ReplayedMatch): string | undefined {
  if (replayed.finalTick !== finalTick)
    return `the replay ends at tick ${replayed.finalTick}, not ${finalTick}`;
  return replayed.isEnded || isCut ? undefined : 'the match has not ended where its recording does';
}

function praise(
  { id, isCut, isFree, block }: PublicMatch,
  { segmentCount }: OpenedRecording,
  { finalTick, entries }: ReplayedMatch,
  paid: number,
): string {
  const money = isFree ? 'no money was at stake' : `${paid} payouts are on the chain as settled`;
  return (
    `Match ${id} fits: the commitment holds${block ? `, block ${block.slot} is the chain's` : ', it used no block'}, ` +
    `${segmentCount} segments replay to the same hashes up to tick ${finalTick}${isCut ? ' (cut there)' : ''}, ` +
    `${entries.size} entries were settled as played, ${money}.`
  );
}

function fromHex(text: string): Uint8Array | undefined {
  if (!/^[0-9a-f]{64}$/.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
