import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { readProgramCode } from '@engulf/chain/accounts/program-code';
import { keepOwnAnchors, listAnchors, readAnchor } from '@engulf/chain/anchors/read-anchors';
import { findBlock } from '@engulf/chain/node/public-block';
import { readTransaction, type TransactionReading } from '@engulf/chain/node/read-transaction';
import { readJoinPayments } from '@engulf/chain/payments/join-payments';
import { readClaim } from '@engulf/chain/payouts/read-claim';
import type { PublicMatch } from '@engulf/protocol/http/matches';
import {
  type Address,
  type GetAccountInfoApi,
  type GetBlockApi,
  type GetBlocksApi,
  type GetSignaturesForAddressApi,
  type GetTransactionApi,
  type Rpc,
  type Signature,
  signature,
} from '@solana/kit';
import type { AnchorFacts, ChainFacts, SeenClaim, SeenJoins, Unseen } from './chain-facts.ts';

type FactsRpc = Rpc<
  GetAccountInfoApi & GetBlockApi & GetBlocksApi & GetSignaturesForAddressApi & GetTransactionApi
>;
type Transaction = Extract<TransactionReading, { kind: 'read' }>['transaction'];

/**
 * Asks a node for everything that the check of a match compares. All at once: the transport puts calls together and waits
 * where the node asks for it. A call that fails leaves only its own fact open.
 */
export async function readChainFacts(
  rpc: FactsRpc,
  programId: Address,
  match: PublicMatch,
): Promise<ChainFacts> {
  const { chainLobbyId, targetSlot, entries } = match;
  const paidOut = entries.flatMap(({ payout }) => (payout?.signature ? [payout.signature] : []));
  const paidIn = entries.flatMap(({ payment }) => (payment ? [payment.signature] : []));
  const [lobbyConfig, block, claims, joins, anchors, program] = await Promise.all([
    chainLobbyId === null ? undefined : findLobbyConfig(programId, BigInt(chainLobbyId)),
    targetSlot === null ? undefined : blockFrom(rpc, BigInt(targetSlot)),
    readAll(rpc, paidOut, (transaction) => seeClaim(transaction, programId)),
    readAll(rpc, paidIn, (transaction) => seeJoins(transaction, programId)),
    match.anchor ? anchorsOf(rpc, signature(match.anchor)) : undefined,
    chainLobbyId === null ? undefined : readProgramCode(rpc, programId).catch(() => undefined),
  ]);
  return { lobbyConfig, block, claims, joins, anchors, program };
}

async function anchorsOf(rpc: FactsRpc, commitSignature: Signature): Promise<AnchorFacts> {
  const commit = await readAnchor(rpc, commitSignature).catch(() => undefined);
  const memo = commit?.memo?.kind === 'commit' ? commit.memo : undefined;
  if (!commit || !memo) return { commit, listed: undefined };
  const listed = listAnchors(rpc, commit.signer, memo).then((all) =>
    keepOwnAnchors(rpc, commit.signer, memo, all),
  );
  return { commit, listed: await listed.catch(() => undefined) };
}

function seeClaim(transaction: Transaction, programId: Address): SeenClaim | Unseen {
  const claim = readClaim(transaction, programId);
  return claim ? { ...claim, slot: BigInt(transaction.slot) } : 'missing';
}

function seeJoins(transaction: Transaction, programId: Address): SeenJoins {
  const { slot, blockTime } = transaction;
  const isTold = blockTime !== null && blockTime !== undefined;
  return {
    slot: BigInt(slot),
    timeMs: isTold ? Number(blockTime) * 1000 : undefined,
    payments: readJoinPayments(transaction, programId),
  };
}

async function readAll<Seen>(
  rpc: FactsRpc,
  signatures: readonly string[],
  see: (transaction: Transaction) => Seen | Unseen,
): Promise<Map<string, Seen | Unseen>> {
  const found = [...new Set(signatures)].map(async (name): Promise<[string, Seen | Unseen]> => {
    try {
      const reading = await readTransaction([rpc], signature(name));
      if (reading.kind === 'read') return [name, see(reading.transaction)];
      return [name, reading.isMadeUp ? 'madeUp' : 'missing'];
    } catch {
      return [name, 'unread'];
    }
  });
  return new Map(await Promise.all(found));
}

/** Nodes forget old blocks, and each words that in its own way. */
async function blockFrom(rpc: FactsRpc, slot: bigint): Promise<ChainFacts['block']> {
  try {
    return await findBlock(rpc, slot);
  } catch {
    return undefined;
  }
}
