import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { findBlock } from '@engulf/chain/node/public-block';
import { readTransaction } from '@engulf/chain/node/read-transaction';
import { type JoinPayment, readJoinPayments } from '@engulf/chain/payments/join-payments';
import type { Claim } from '@engulf/chain/payouts/read-claim';
import { readClaim } from '@engulf/chain/payouts/read-claim';
import type { PublicMatch } from '@engulf/protocol/http/matches';
import {
  type Address,
  type GetBlockApi,
  type GetBlocksApi,
  type GetTransactionApi,
  type Rpc,
  signature,
} from '@solana/kit';
import type { ChainFacts } from './chain-facts.ts';

/** Asks a node of the reader's own choice for everything that the check of a match compares. */
export async function readChainFacts(
  rpc: Rpc<GetBlockApi & GetBlocksApi & GetTransactionApi>,
  programId: Address,
  match: PublicMatch,
): Promise<ChainFacts> {
  const claims = new Map<string, Claim | undefined>();
  for (const { payout } of match.entries) {
    if (!payout?.signature || claims.has(payout.signature)) continue;
    const reading = await readTransaction([rpc], signature(payout.signature));
    const claim = reading.kind === 'read' ? readClaim(reading.transaction, programId) : undefined;
    claims.set(payout.signature, claim);
  }
  const joins = new Map<string, readonly JoinPayment[] | undefined>();
  for (const { payment } of match.entries) {
    if (!payment || joins.has(payment.signature)) continue;
    const reading = await readTransaction([rpc], signature(payment.signature));
    const isRead = reading.kind === 'read';
    joins.set(payment.signature, isRead ? readJoinPayments(reading.transaction, programId) : undefined);
  }
  const { chainLobbyId } = match;
  return {
    lobbyConfig: chainLobbyId === null ? undefined : await findLobbyConfig(programId, BigInt(chainLobbyId)),
    joins,
    block: match.targetSlot ? await blockFrom(rpc, BigInt(match.targetSlot)) : undefined,
    claims,
  };
}

/** Nodes forget old blocks, and each words that in its own way. */
async function blockFrom(rpc: Parameters<typeof findBlock>[0], slot: bigint): Promise<ChainFacts['block']> {
  try {
    return await findBlock(rpc, slot);
  } catch {
    return undefined;
  }
}
