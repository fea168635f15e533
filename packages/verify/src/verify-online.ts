import { readConfig } from '@engulf/protocol/http/config';
import { type PublicMatch, RECORDING_PATH } from '@engulf/protocol/http/matches';
import { isSame } from '@engulf/sim/recording/frames';
import { address } from '@solana/kit';
import type { ChainFacts } from './chain-facts.ts';
import type { CheckReport, Verdict } from './checks.ts';
import { completeMatch, fetchMatch, get } from './fetch-match.ts';
import type { KeptMatch } from './kept-receipts.ts';
import { openRecording } from './open-recording.ts';
import { openNode } from './patient-node.ts';
import { claimOf } from './public-claim.ts';
import { addBeacons } from './read-beacons.ts';
import { readChainFacts } from './read-chain-facts.ts';
import { judgeRewritten, judgeUnrecorded, judgeUnsent, verifyMatch } from './verify-match.ts';

type OnlineOptions = {
  /** Whose match it is. */
  readonly server: string;
  /** The node to ask, if not the one that the server names. */
  readonly rpcUrl?: string | undefined;
  /** What somebody has kept, instead of asking the server. Entries that are missing are asked for. */
  readonly facts?: PublicMatch | undefined;
  /** All of it, or what was public while the match ran. */
  readonly recording?: Uint8Array | undefined;
  /** What the visitor kept of the match. */
  readonly kept?: KeptMatch | undefined;
  readonly onReport?: (report: CheckReport, match: PublicMatch) => void;
};

export type OnlineVerdict =
  /** It runs, and nothing of it is old enough to be public. */
  | { readonly kind: 'running'; readonly match: PublicMatch }
  /** It has ended, but nobody has played. */
  | { readonly kind: 'unplayed'; readonly match: PublicMatch }
  | { readonly kind: 'checked'; readonly match: PublicMatch; readonly verdict: Verdict };

/** Fetches everything about a match and checks it. Throws if the server does not answer. */
export async function verifyOnline(id: string, options: OnlineOptions): Promise<OnlineVerdict> {
  const { server, onReport } = options;
  const match = await (options.facts ? completeMatch(server, options.facts) : fetchMatch(server, id));
  const claim = claimOf(match);
  if (claim.isRunning && claim.finalHash === null) return { kind: 'running', match };
  if (claim.finalHash === null) {
    const verdict = judgeUnrecorded(match);
    return verdict ? { kind: 'checked', match, verdict } : { kind: 'unplayed', match };
  }
  const report = (one: CheckReport) => onReport?.(one, match);
  report({ check: 'recording', state: 'running', what: '' });
  const beginning = claim.isRunning ? undefined : await asBeginning(options.recording);
  const asked = beginning ? undefined : options.recording;
  const fetching = Promise.resolve(asked ?? fetchRecording(server, match.id)).then((bytes) =>
    // It may have grown since the server told about it.
    bytes?.subarray(0, match.published?.recordingBytes),
  );
  const [recording, chain] = await Promise.all([fetching, askChain(match, fetching, options)]);
  if (!recording) {
    const verdict = judgeUnsent(match);
    report({ check: 'recording', state: 'open', what: verdict.open.join('; ') });
    return { kind: 'checked', match, verdict };
  }
  if (beginning && !isSame(beginning, recording.subarray(0, beginning.length))) {
    const verdict = judgeRewritten(match);
    report({ check: 'recording', state: 'wrong', what: verdict.wrong!.what });
    return { kind: 'checked', match, verdict };
  }
  const verdict = await verifyMatch(match, recording, chain, report, options.kept);
  return { kind: 'checked', match, verdict };
}

/** What was kept of a recording while its match ran; undefined if it is a whole one. */
async function asBeginning(bytes: Uint8Array | undefined): Promise<Uint8Array | undefined> {
  if (!bytes || (await openRecording(bytes)).ok) return undefined;
  return (await openRecording(bytes, { isRunning: true })).ok ? bytes : undefined;
}

/** Undefined if the server does not send it, although it says that there is one. */
async function fetchRecording(server: string, id: string): Promise<Uint8Array | undefined> {
  try {
    const response = await get(server, RECORDING_PATH.replace(':id', encodeURIComponent(id)));
    return new Uint8Array(await response.arrayBuffer());
  } catch {
    return undefined;
  }
}

/** Undefined if the node cannot be reached: that says nothing about the match. */
async function askChain(
  match: PublicMatch,
  fetching: Promise<Uint8Array | undefined>,
  { server, rpcUrl }: OnlineOptions,
): Promise<ChainFacts | undefined> {
  try {
    const config = readConfig.answer.parse(await (await get(server, readConfig.path)).json());
    const rpc = openNode(rpcUrl ?? config.rpcUrl);
    const facts = await readChainFacts(rpc, address(config.programId), match);
    const recording = await fetching;
    return recording ? await addBeacons(rpc, facts, recording, claimOf(match)) : facts;
  } catch {
    return undefined;
  }
}
