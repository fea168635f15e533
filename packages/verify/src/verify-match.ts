import type { PublicMatch } from '@engulf/protocol/http/matches';
import { commitmentOf, matchKeyOf, toHex } from '@engulf/sim/keys';
import { getBase58Decoder } from '@solana/kit';
import type { ChainFacts } from './chain-facts.ts';
import { checkEntries } from './check-entries.ts';
import { checkPayments, checkSettlement } from './check-money.ts';
import type { CheckName, CheckReport, Verdict } from './checks.ts';
import { type OpenedRecording, openRecording } from './open-recording.ts';
import { type ReplayedMatch, replayMatch } from './replay-match.ts';

/** What one check found. */
type Finding = { readonly wrong: string } | { readonly fits: string; readonly open?: readonly string[] };

/**
 * Checks one ended match from its recording, from what the server says about it and from the chain. Runs in browsers,
 * too. No input is trusted. `chain` is undefined if no node could be asked.
 */
export async function verifyMatch(
  match: PublicMatch,
  recordingBytes: Uint8Array,
  chain: ChainFacts | undefined,
  onReport: (report: CheckReport) => void = () => {},
): Promise<Verdict> {
  const open: string[] = [];
  const facts: string[] = [];
  const wrong: { check: CheckName; what: string }[] = [];
  /** Makes one check; false if it found something. */
  const run = async (check: CheckName, find: () => Finding | Promise<Finding>): Promise<boolean> => {
    onReport({ check, state: 'running', what: '' });
    const finding = await find();
    if ('wrong' in finding) {
      wrong.push({ check, what: finding.wrong });
      onReport({ check, state: 'wrong', what: finding.wrong });
      return false;
    }
    const isOpen = finding.open !== undefined && finding.open.length > 0;
    open.push(...(finding.open ?? []));
    facts.push(finding.fits);
    onReport({
      check,
      state: isOpen ? 'open' : 'fits',
      what: isOpen ? finding.open.join('; ') : finding.fits,
    });
    return true;
  };

  let recording: OpenedRecording | undefined;
  let secret: Uint8Array | undefined;
  let replayed: ReplayedMatch | undefined;
  const isSound =
    (await run('recording', async () => {
      const opened = await openRecording(recordingBytes);
      if (!opened.ok) return { wrong: `${opened.error.problem} at byte ${opened.error.position}` };
      recording = opened.value;
      const mismatch = compareFacts(match, recording);
      return mismatch ? { wrong: mismatch } : { fits: `${recording.segmentCount} segments are complete` };
    })) &&
    (await run('commitment', () => {
      if (match.secret === null) return { wrong: 'the secret has not been published' };
      secret = fromHex(match.secret);
      return secret && toHex(commitmentOf(secret)) === match.commitment
        ? { fits: 'the commitment holds' }
        : { wrong: 'the published secret is not the one that was committed to' };
    })) &&
    (await run('block', () => checkBlock(match, recording!, chain))) &&
    (await run('replay', async () => {
      const key = matchKeyOf(secret!, recording!.header.publicPart);
      const replay = await replayMatch(recording!, key, (tick) =>
        onReport({ check: 'replay', state: 'running', what: '', tick }),
      );
      if (replay.kind === 'damaged')
        return { wrong: `${replay.fault.problem} at byte ${replay.fault.position}` };
      if (replay.kind === 'differs') {
        return { wrong: `${replay.difference.what}, first at tick ${replay.difference.tick}` };
      }
      replayed = replay.match;
      if (replayed.hasTestMass && !match.isFree) {
        return { wrong: 'a player of a match for money was given mass for a test' };
      }
      // What they bring, and what they leave with, is nobody's.
      if (replayed.hasBots && !match.isFree) return { wrong: 'bots have played in a match for money' };
      const ending = checkEnding(match, replayed);
      if (ending) return { wrong: ending };
      const { finalTick } = replayed;
      return {
        fits: `it replays to the same hashes up to tick ${finalTick}${match.isCut ? ' (cut there)' : ''}`,
      };
    })) &&
    (await run('entries', () => checkEntries(match, chain))) &&
    (await run('settlement', () => {
      const complaint = checkSettlement(match, replayed!);
      return complaint
        ? { wrong: complaint }
        : { fits: `${replayed!.entries.size} entries were settled as played` };
    })) &&
    (await run('payments', () => checkPayments(match, chain)));

  if (!isSound) {
    const [found] = wrong;
    const line = `Match ${match.id} DOES NOT FIT. ${found!.check}: ${found!.what}.`;
    return { isRight: false, wrong: found, open, line };
  }
  const line = `Match ${match.id} fits: ${facts.join(', ')}.`;
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
  if (header.rulesText !== match.rules) return 'it was played under other rules than published';
  if (end.finalTick !== match.finalTick) return `it ends at tick ${end.finalTick}, not ${match.finalTick}`;
  return end.isCut === match.isCut ? undefined : 'the server and the recording disagree about how it ended';
}

function checkBlock(match: PublicMatch, { header }: OpenedRecording, chain: ChainFacts | undefined): Finding {
  const used = header.publicPart;
  if (!used) {
    if (match.block !== null) return { wrong: 'the recording does not use the block that was published' };
    return match.isFree
      ? { fits: 'it used no block' }
      : { wrong: 'a match for money does not depend on a block' };
  }
  const blockhash = getBase58Decoder().decode(used.blockhash);
  if (match.block?.slot !== used.slot.toString() || match.block.blockhash !== blockhash) {
    return { wrong: 'the recording uses another block than was published' };
  }
  if (match.targetSlot === null || used.slot < BigInt(match.targetSlot)) {
    return { wrong: `slot ${used.slot} is before the slot that was named` };
  }
  const fits = `block ${used.slot} is the chain's`;
  if (!chain) return { fits, open: [`no node could be asked for block ${used.slot}`] };
  if (!chain.block) return { fits, open: [`the node no longer has block ${used.slot}`] };
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

/** The time of a block is what its validators estimate, and the server's clock may be off: minutes prove nothing. */
const CLOCK_TOLERANCE_MS = 300_000;

function checkEnding({ finalTick, isCut }: PublicMatch, replayed: ReplayedMatch): string | undefined {
  if (replayed.finalTick !== finalTick)
    return `the replay ends at tick ${replayed.finalTick}, not ${finalTick}`;
  return replayed.isEnded || isCut ? undefined : 'the match has not ended where its recording does';
}

function fromHex(text: string): Uint8Array | undefined {
  if (!/^[0-9a-f]{64}$/.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
