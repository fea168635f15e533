import type { PublicMatch } from '@engulf/protocol/http/matches';
import { epochAt } from '@engulf/sim/epochs';
import { type KnownSecret, keysUpTo, recogniseSecret, toHex } from '@engulf/sim/keys';
import { isKind } from '@engulf/sim/newcomers';
import type { ChainFacts } from './chain-facts.ts';
import { checkAnchor } from './check-anchor.ts';
import { checkBlock } from './check-block.ts';
import { checkEntries } from './check-entries.ts';
import { checkHashes } from './check-hashes.ts';
import { checkInputs } from './check-inputs.ts';
import { checkPayments, checkSettlement } from './check-money.ts';
import { checkPortals } from './check-portals.ts';
import { checkProgram } from './check-program.ts';
import { checkReceipts } from './check-receipts.ts';
import { checkSettledSoFar, settledSoFar } from './check-so-far.ts';
import {
  CHECKS,
  type CheckName,
  type CheckReport,
  countOf,
  durationText,
  type Finding,
  type SoFar,
  type Verdict,
} from './checks.ts';
import { type KeptMatch, keptClaims } from './kept-receipts.ts';
import { isForMoney } from './match-money.ts';
import { type OpenedRecording, openRecording } from './open-recording.ts';
import { claimOf, type PublicClaim } from './public-claim.ts';
import { namedRules, unknownVersion } from './recording-release.ts';
import { type ReplayedMatch, replayMatch } from './replay-match.ts';

/** What is checked, and what earlier checks have found out for later ones. */
type Evidence = {
  readonly match: PublicMatch;
  readonly claim: PublicClaim;
  readonly recordingBytes: Uint8Array;
  readonly chain: ChainFacts | undefined;
  /** What the visitor kept while playing. */
  readonly kept: KeptMatch | undefined;
  readonly onTick: (tick: number) => void;
  /** Undefined if it is of a version that this release does not know. */
  recording: OpenedRecording | undefined;
  known: KnownSecret | undefined;
  replayed: ReplayedMatch | undefined;
};

/** One function for each check, in any order: CHECKS has the order. */
const FIND: { readonly [check in CheckName]: (evidence: Evidence) => Finding | Promise<Finding> } = {
  recording: checkRecording,
  commitment: checkCommitment,
  block: ({ match, recording, chain }) =>
    recording ? checkBlock(match, recording.header.publicPart, chain) : UNPLAYABLE,
  anchor: ({ match, recording, chain }) => (recording ? checkAnchor(match, recording, chain) : UNPLAYABLE),
  replay: checkReplay,
  portals: ({ match, recording, replayed, chain }) =>
    recording && replayed ? checkPortals(match, recording, replayed, chain) : UNPLAYABLE,
  entries: ({ match, chain }) => checkEntries(match, chain),
  inputs: ({ match, recording, replayed, chain, kept }) =>
    recording && replayed ? checkInputs(match, recording, replayed, chain, kept) : UNPLAYABLE,
  settlement: ({ match, claim, replayed }) => {
    if (!replayed) return UNPLAYABLE;
    return claim.isRunning ? checkSettledSoFar(match, replayed) : checkSettlement(match, replayed);
  },
  payments: ({ match, chain }) => checkPayments(match, chain),
  program: ({ match, chain }) => checkProgram(match, chain),
  hashes: ({ match, recording, chain }) => (recording ? checkHashes(match, recording, chain) : UNPLAYABLE),
  receipts: ({ match, recording, kept, replayed }) =>
    recording ? checkReceipts(match, recording, kept, replayed?.portals.waves) : UNPLAYABLE,
};

const UNPLAYABLE: Finding = {
  fits: 'not checked',
  open: ['this needs the release that plays the recording'],
};

/**
 * Checks a match from its recording, from what the server says about it and from the chain; one that runs as far as it is
 * public. Runs in browsers, too. No input is trusted. `chain` is undefined if no node could be asked.
 */
export async function verifyMatch(
  match: PublicMatch,
  recordingBytes: Uint8Array,
  chain: ChainFacts | undefined,
  onReport: (report: CheckReport) => void = () => {},
  kept?: KeptMatch,
): Promise<Verdict> {
  const evidence: Evidence = {
    match,
    claim: claimOf(match),
    recordingBytes,
    chain,
    kept,
    onTick: (tick) => onReport({ check: 'replay', state: 'running', what: '', tick }),
    recording: undefined,
    known: undefined,
    replayed: undefined,
  };
  const open = new Set<string>();
  const notes: string[] = [];
  const facts: string[] = [];
  const later: string[] = [];
  for (const check of CHECKS) {
    onReport({ check, state: 'running', what: '' });
    const finding = await FIND[check](evidence);
    if ('wrong' in finding) {
      const { wrong: what } = finding;
      onReport({ check, state: 'wrong', what });
      const line = `Match ${match.id} DOES NOT FIT. ${check}: ${what}.`;
      return { isRight: false, wrong: { check, what }, open: [...open], notes, line };
    }
    const { fits, open: undecided = [], notes: noted = [], later: unknown = [] } = finding;
    for (const text of undecided) open.add(text);
    notes.push(...noted);
    later.push(...unknown);
    const isOpen = undecided.length > 0;
    if (!isOpen || fits !== 'not checked') facts.push(fits);
    onReport({
      check,
      state: isOpen ? 'open' : 'fits',
      what: isOpen ? undecided.join('; ') : fits,
      notes: noted,
      later: unknown,
    });
  }
  const soFar = soFarOf(evidence, later);
  const extent = soFar ? `fits in its first ${durationText(soFar.seconds)}` : 'fits';
  const sentences = [
    `Match ${match.id} ${open.size === 0 ? extent : `${extent} as far as it can be checked`}: ${facts.join(', ')}.`,
    ...(notes.length > 0 ? [`Note: ${notes.join('; ')}.`] : []),
    ...(open.size > 0 ? [`Open: ${[...open].join('; ')}.`] : []),
    ...(soFar ? [`Not yet: ${later.join('; ')}.`] : []),
  ];
  const isRight = open.size === 0 && !soFar;
  return { isRight, wrong: undefined, open: [...open], notes, soFar, line: sentences.join(' ') };
}

function soFarOf(
  { match, claim, recording, replayed }: Evidence,
  later: readonly string[],
): SoFar | undefined {
  if (!claim.isRunning || !recording) return undefined;
  const { end, header } = recording;
  const seconds = Math.round(end.finalTick / header.rules.stepsPerSecond);
  return { seconds, later, settled: settledSoFar(match, replayed) };
}

/** What a match without a recording comes to. Entries without one cannot be right. */
export function judgeUnrecorded({ id, entryCount, entries }: PublicMatch): Verdict | undefined {
  const count = Math.max(entryCount, entries.length);
  if (count === 0) return undefined;
  const what = `there is none, although ${countOf(count, 'entry', 'entries')} played`;
  const line = `Match ${id} DOES NOT FIT. recording: ${what}.`;
  return { isRight: false, wrong: { check: 'recording', what }, open: [], notes: [], line };
}

/** What a match comes to whose recording does not begin with what was public of it while it ran. */
export function judgeRewritten({ id }: PublicMatch): Verdict {
  const what = 'it does not begin with the part that was kept while the match ran';
  const line = `Match ${id} DOES NOT FIT. recording: ${what}.`;
  return { isRight: false, wrong: { check: 'recording', what }, open: [], notes: [], line };
}

/** What a match comes to whose recording exists, but is not sent. */
export function judgeUnsent({ id }: PublicMatch): Verdict {
  const open = ['the server does not send the recording: try again, and if it stays away hold it against us'];
  return { isRight: false, wrong: undefined, open, notes: [], line: `Match ${id} is open: ${open[0]}.` };
}

async function checkRecording(evidence: Evidence): Promise<Finding> {
  const { match, claim, recordingBytes } = evidence;
  const unknown = unknownVersion(recordingBytes);
  if (unknown) return { fits: 'not checked', open: [unknown] };
  const opened = await openRecording(recordingBytes, claim);
  if (!opened.ok) return { wrong: `${opened.error.problem} at byte ${opened.error.position}` };
  evidence.recording = opened.value;
  const mismatch = compareFacts(match, claim, opened.value);
  if (mismatch) return { wrong: mismatch };
  const seconds = Math.round(opened.value.end.finalTick / opened.value.header.rules.stepsPerSecond);
  return {
    fits: `the recording of ${claim.isRunning ? 'its first ' : ''}${durationText(seconds)} is complete`,
    later: claim.isRunning ? ['what happened after that: it is public ten to twenty minutes later'] : [],
    notes: namedRules(opened.value.header, { isFree: !isForMoney(match) }),
  };
}

/** Whether the recording is the one that was announced. */
function compareFacts(
  match: PublicMatch,
  claim: PublicClaim,
  { header, end, finalHash }: OpenedRecording,
): string | undefined {
  if (toHex(finalHash) !== claim.finalHash) return 'its hash is not the published one';
  if (header.matchId !== match.id) return `it is of another match, ${header.matchId}`;
  if (toHex(header.commitment) !== match.commitment) return 'it names another commitment';
  if (header.rulesText !== match.rules) return 'it was played under other rules than published';
  if (end.finalTick !== claim.finalTick) return `it ends at tick ${end.finalTick}, not ${claim.finalTick}`;
  return end.isCut === claim.isCut ? undefined : 'the server and the recording disagree about how it ended';
}

function checkCommitment(evidence: Evidence): Finding {
  const { match, claim, recording } = evidence;
  if (claim.secret === null) return { wrong: 'the secret has not been published' };
  const secret = fromHex(claim.secret);
  evidence.known = secret && recogniseSecret(secret, fromHex(match.commitment)!);
  if (!evidence.known) return { wrong: 'the published secret is not the one that was committed to' };
  if (recording && evidence.known.epoch < epochAt(recording.header.rules, recording.end.finalTick))
    return { wrong: 'the published secret is of an earlier time than the recording' };
  return {
    fits: 'the secret is the one of the commitment',
    later: claim.isRunning ? ['the secrets of later minutes'] : [],
  };
}

async function checkReplay(evidence: Evidence): Promise<Finding> {
  const { match, claim, recording, known, kept, onTick } = evidence;
  if (!recording) return UNPLAYABLE;
  const claims = kept ? keptClaims(kept).map(({ statement }) => statement) : [];
  const key = keysUpTo(known!, recording.header.publicPart);
  const replay = await replayMatch(recording, key, onTick, claims);
  if (replay.kind === 'damaged') return { wrong: `${replay.fault.problem} at byte ${replay.fault.position}` };
  if (replay.kind === 'differs') {
    return { wrong: `${replay.difference.what}, first at tick ${replay.difference.tick}` };
  }
  const { match: replayed } = replay;
  evidence.replayed = replayed;
  if (replayed.hasTestMass && isForMoney(match)) {
    return { wrong: 'a player of a match for money was given mass for a test' };
  }
  if (isKind(recording.header.rules) && isForMoney(match)) {
    return { wrong: 'a match for money was played under rules that spare newcomers' };
  }
  // What they bring, and what they leave with, is nobody's.
  if (replayed.hasBots && isForMoney(match)) return { wrong: 'bots have played in a match for money' };
  if (replayed.finalTick !== claim.finalTick) {
    return { wrong: `the replay ends at tick ${replayed.finalTick}, not ${claim.finalTick}` };
  }
  if (claim.isRunning && replayed.isEnded) return { wrong: 'it has ended, but is said to run' };
  if (!replayed.isEnded && !claim.isRunning && !match.isCut)
    return { wrong: 'the match has not ended where its recording does' };
  const steps = countOf(replayed.finalTick, 'step');
  return {
    fits: `played again, it gives the same state in all ${steps}${match.isCut ? ' up to the cut' : ''}`,
  };
}

function fromHex(text: string): Uint8Array | undefined {
  if (!/^[0-9a-f]{64}$/.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
