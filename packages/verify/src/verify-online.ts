import { readConfig } from '@engulf/protocol/http/config';
import { type PublicMatch, RECORDING_PATH } from '@engulf/protocol/http/matches';
import { address, createSolanaRpc } from '@solana/kit';
import type { ChainFacts } from './chain-facts.ts';
import type { CheckReport, Verdict } from './checks.ts';
import { completeMatch, fetchMatch, get } from './fetch-match.ts';
import { readChainFacts } from './read-chain-facts.ts';
import { verifyMatch } from './verify-match.ts';

type OnlineOptions = {
  /** Whose match it is. */
  readonly server: string;
  /** The node to ask, if not the one that the server names. */
  readonly rpcUrl?: string | undefined;
  /** What somebody has kept, instead of asking the server. Pages of entries that are missing are asked for. */
  readonly facts?: PublicMatch | undefined;
  readonly recording?: Uint8Array | undefined;
  readonly onReport?: (report: CheckReport, match: PublicMatch) => void;
};

export type OnlineVerdict =
  /** It can be checked when it has ended: its secret and its recording are not public before that. */
  | { readonly kind: 'running'; readonly match: PublicMatch }
  /** It has ended, but nobody has played. */
  | { readonly kind: 'unplayed'; readonly match: PublicMatch }
  | { readonly kind: 'checked'; readonly match: PublicMatch; readonly verdict: Verdict };

/** Fetches everything about a match and checks it. Throws if the server does not answer. */
export async function verifyOnline(id: string, options: OnlineOptions): Promise<OnlineVerdict> {
  const { server, onReport } = options;
  const match = await (options.facts ? completeMatch(server, options.facts) : fetchMatch(server, id));
  if (match.state !== 'ended') return { kind: 'running', match };
  if (match.finalHash === null) return { kind: 'unplayed', match };
  const report = (one: CheckReport) => onReport?.(one, match);
  report({ check: 'recording', state: 'running', what: '' });
  const [recording, chain] = await Promise.all([
    options.recording ?? fetchRecording(server, match.id),
    askChain(match, options),
  ]);
  return { kind: 'checked', match, verdict: await verifyMatch(match, recording, chain, report) };
}

async function fetchRecording(server: string, id: string): Promise<Uint8Array> {
  const response = await get(server, RECORDING_PATH.replace(':id', encodeURIComponent(id)));
  return new Uint8Array(await response.arrayBuffer());
}

/** Undefined if the node cannot be reached: that says nothing about the match. */
async function askChain(
  match: PublicMatch,
  { server, rpcUrl }: OnlineOptions,
): Promise<ChainFacts | undefined> {
  const config = readConfig.answer.parse(await (await get(server, readConfig.path)).json());
  const rpc = createSolanaRpc(rpcUrl ?? config.rpcUrl);
  return readChainFacts(rpc, address(config.programId), match).catch(() => undefined);
}
