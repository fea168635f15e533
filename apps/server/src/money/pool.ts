import { findLobbyConfig, findTokenAccount } from '@engulf/chain/accounts/pdas';
import { type PoolAccount, readPoolBalance } from '@engulf/chain/accounts/pool-account';
import { readLobby } from '@engulf/chain/accounts/read-configs';
import { answersOf, neededNodes } from '@engulf/chain/node/agreement';
import { tokenProgramOf } from '@engulf/chain/payouts/reward-payees';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { address } from '@solana/kit';
import { sql } from 'drizzle-orm';
import type { PaidLobby } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';
import { poolOf } from './ledger/accounts.ts';
import { noteReserve, readPoolReadings } from './pool-readings.ts';

/** The account that holds the lobby's pool. Undefined if the lobby is not on the chain. */
export async function findPool(
  context: Pick<Context, 'db' | 'chain'>,
  lobby: PaidLobby,
): Promise<PoolAccount | undefined> {
  const { rpc, programId } = context.chain;
  const lobbyConfig = await findLobbyConfig(programId, lobby.chainLobbyId);
  if (lobby.tokenMint !== null) {
    const mint = address(lobby.tokenMint);
    const tokenProgram = await tokenProgramOf(rpc, mint);
    const tokens = await findTokenAccount({ owner: lobbyConfig, mint, tokenProgram });
    return { address: tokens, reserveLamports: undefined };
  }
  const known = await readPoolReadings(context.db, lobby.id);
  const reserveLamports = known.reserveLamports ?? (await recordReserve(context, lobby));
  return reserveLamports === undefined ? undefined : { address: lobbyConfig, reserveLamports };
}

/** The program sets the reserve when it creates the lobby and never changes it, so it is read once. */
async function recordReserve(
  { chain, db }: Pick<Context, 'db' | 'chain'>,
  lobby: PaidLobby,
): Promise<bigint | undefined> {
  const account = await readLobby(chain.rpc, chain.programId, lobby.chainLobbyId, 'finalized');
  if (!account) return undefined;
  const { reserveLamports } = account;
  await noteReserve(db, lobby.id, reserveLamports);
  return reserveLamports;
}

/** What a pool holds, final on the chain. */
export type PoolReading = {
  readonly amount: bigint;
  readonly slot: bigint;
  /** Whether as many nodes as are needed showed it. */
  readonly isAgreed: boolean;
};

/**
 * What all nodes show that have reached a slot. Undefined if there is none, or if they show different amounts: for a moment
 * after each payment that is normal, later one of them lies.
 */
export async function readPool(
  { chain }: Pick<Context, 'chain'>,
  account: PoolAccount,
  minSlot: bigint,
): Promise<PoolReading | undefined> {
  const { nodes } = chain;
  const outcomes = await Promise.allSettled(nodes.map((node) => readPoolBalance(node, account, minSlot)));
  const shown = answersOf(outcomes).filter((one) => one !== undefined);
  const [first] = shown;
  if (!first || shown.some(({ amount }) => amount !== first.amount)) return undefined;
  const slot = shown.reduce((oldest, one) => (one.slot < oldest ? one.slot : oldest), first.slot);
  return { amount: first.amount, slot, isAgreed: shown.length >= neededNodes(nodes) };
}

/** What the books say about a pool. */
export type Books = {
  /** What the pool holds if no claim is in flight. */
  readonly held: bigint;
  /** What the claim in flight may have paid already. */
  readonly inFlight: bigint;
  /** The newest slot that is booked: a balance of an earlier slot cannot be compared with the books. */
  readonly newestSlot: bigint;
};

export async function readBooks(db: Database, lobbyId: LobbyId): Promise<Books> {
  const { rows } = await db.execute<{ [column: string]: string }>(sql`
    select
      coalesce((select -balance from ledger_accounts where id = ${poolOf(lobbyId).id}), 0)::text as held,
      (
        select coalesce(sum(payouts.amount), 0)
        from payouts join payout_batches on payout_batches.id = payouts.batch_id
        where payout_batches.lobby_id = ${lobbyId} and payout_batches.status = 'open'
          and payouts.lobby_id = ${lobbyId} and payouts.status = 'processing'
      )::text as in_flight,
      coalesce(greatest(
        (select reconciled_slot from lobby_pools where lobby_id = ${lobbyId}),
        (select max(slot) from payments where lobby_id = ${lobbyId}),
        (select max(landed_slot) from payout_batches where lobby_id = ${lobbyId})
      ), 0)::text as newest_slot
  `);
  const number = (name: string) => BigInt(rows[0]![name]!);
  return { held: number('held'), inFlight: number('in_flight'), newestSlot: number('newest_slot') };
}

/** Whether nothing was booked between two readings. */
export function isSameBooks(left: Books, right: Books): boolean {
  return left.held === right.held && left.inFlight === right.inFlight;
}
