import { readConfig } from '@engulf/protocol/http/config';
import { listMatches, type PublicMatch, RECORDING_PATH } from '@engulf/protocol/http/matches';
import { readSolvency } from '@engulf/protocol/http/solvency';
import { readFrame } from '@engulf/sim/recording/frames';
import { readHeader } from '@engulf/sim/recording/header';
import { address } from '@solana/kit';
import { type AuditedMatch, auditLobby, type LobbyAudit } from './audit-lobby.ts';
import { fetchMatch, get } from './fetch-match.ts';
import { inflate } from './inflate.ts';
import { type LobbyTransaction, readLobbyChain } from './lobby-chain.ts';
import { openNode } from './patient-node.ts';

/** What has been read of a lobby. An audit that was interrupted is continued with it, also by another node. */
export type LobbyProgress = {
  readonly transactions: Map<string, LobbyTransaction>;
  /** Matches that are over and paid: nothing about them changes any more. */
  readonly matches: Map<string, AuditedMatch>;
};

export function startProgress(): LobbyProgress {
  return { transactions: new Map(), matches: new Map() };
}

type LobbyOptions = {
  readonly server: string;
  /** The node to ask, if not the one that the server names. */
  readonly rpcUrl?: string | undefined;
  readonly progress: LobbyProgress;
  readonly onProgress?: ((what: 'matches' | 'transactions', done: number, of: number) => void) | undefined;
};

/** Fetches everything about a lobby, by its name or id, and checks it as a whole. */
export async function verifyLobby(lobby: string, options: LobbyOptions): Promise<LobbyAudit> {
  const { server, rpcUrl, progress, onProgress } = options;
  const lobbyId = await findLobbyId(server, lobby);
  const matches = await readMatches(lobbyId, options);
  const paid = matches.find(({ match }) => match.chainLobbyId !== null)?.match;
  if (!paid) throw new Error(`${lobby} has no match for money`);
  const config = readConfig.answer.parse(await (await get(server, readConfig.path)).json());
  const chain = await readLobbyChain({
    rpc: openNode(rpcUrl ?? config.rpcUrl),
    programId: address(config.programId),
    chainLobbyId: BigInt(paid.chainLobbyId!),
    token: { symbol: paid.tokenSymbol, decimals: paid.tokenDecimals },
    known: progress.transactions,
    onProgress: (done, of) => onProgress?.('transactions', done, of),
  });
  return auditLobby(matches, chain);
}

async function findLobbyId(server: string, lobby: string): Promise<string> {
  const { lobbies } = readSolvency.answer.parse(await (await get(server, readSolvency.path)).json());
  const found = lobbies.find(({ lobbyId, name }) => lobbyId === lobby || name === lobby);
  if (found) return found.lobbyId;
  throw new Error(
    `There is no lobby for money called ${lobby}, only ${lobbies.map(({ name }) => name).join(', ')}`,
  );
}

async function readMatches(
  lobbyId: string,
  { server, progress, onProgress }: LobbyOptions,
): Promise<AuditedMatch[]> {
  const ids = new Set<string>();
  for (let page = 1; ; page++) {
    const response = await get(server, `${listMatches.path}?lobbyId=${lobbyId}&page=${page}`);
    const { data } = listMatches.answer.parse(await response.json());
    for (const { id } of data.data) ids.add(id);
    if (data.data.length === 0 || page >= data.lastPage) break;
  }
  const matches: AuditedMatch[] = [];
  for (const id of ids) {
    const audited = progress.matches.get(id) ?? (await readOne(server, id));
    if (isFinal(audited.match)) progress.matches.set(id, audited);
    matches.push(audited);
    onProgress?.('matches', matches.length, ids.size);
  }
  return matches;
}

async function readOne(server: string, id: string): Promise<AuditedMatch> {
  const match = await fetchMatch(server, id);
  const isRecorded = match.state === 'ended' && match.finalHash !== null;
  return { match, spillBefore: isRecorded ? await fetchSpill(server, id) : undefined };
}

const isFinal = ({ state, entries }: PublicMatch) =>
  state === 'ended' && entries.every(({ outcome, payout }) => outcome !== null && payout?.signature !== null);

/** What a match began with: the first frame of its recording tells, the rest is not fetched. */
async function fetchSpill(server: string, id: string): Promise<bigint | undefined> {
  const response = await get(server, RECORDING_PATH.replace(':id', encodeURIComponent(id)));
  const reader = response.body!.getReader();
  let bytes = new Uint8Array(0);
  for (;;) {
    const { done, value } = await reader.read();
    if (value) bytes = joined(bytes, value);
    const frame = readFrame(bytes, 0);
    if (frame.ok) {
      await reader.cancel();
      const { packing, packed, bodyLength, version } = frame.value.frame;
      const body = packing === 'plain' ? packed : await inflate(packed, bodyLength);
      const header = body && readHeader(body, version);
      return header?.ok ? header.value.spill : undefined;
    }
    if (done) return undefined;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
