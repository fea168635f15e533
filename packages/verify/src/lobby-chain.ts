import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { type PoolAccount, readPoolBalance, readPoolChange } from '@engulf/chain/accounts/pool-account';
import { readLobby } from '@engulf/chain/accounts/read-configs';
import { listTransactions } from '@engulf/chain/node/lobby-history';
import { readTransaction } from '@engulf/chain/node/read-transaction';
import { readJoinPayments } from '@engulf/chain/payments/join-payments';
import { readClaim } from '@engulf/chain/payouts/read-claim';
import type { Token } from '@engulf/domain/money/amount';
import type { Address, Signature } from '@solana/kit';
import type { openNode } from './patient-node.ts';

/** What one transaction did to the pool of a lobby. */
export type LobbyTransaction = {
  readonly signature: string;
  readonly slot: bigint;
  readonly joins: readonly { readonly player: string; readonly stake: bigint }[];
  readonly claims: readonly { readonly player: string; readonly amount: bigint }[];
  readonly memo: string;
  /** By how much the pool grew. */
  readonly change: bigint;
};

export type LobbyChain = {
  readonly token: Token & { readonly symbol: string };
  /** Oldest first. */
  readonly transactions: readonly LobbyTransaction[];
  /** How many the node did not show. */
  readonly unread: number;
  /** What the pool holds; undefined if it could not be read. */
  readonly pool: bigint | undefined;
  readonly newestSlot: bigint;
};

type LobbyRequest = {
  readonly rpc: ReturnType<typeof openNode>;
  readonly programId: Address;
  readonly chainLobbyId: bigint;
  readonly token: LobbyChain['token'];
  /** Read before, by signature; what is read now is added. So a reading that was interrupted goes on where it stopped. */
  readonly known: Map<string, LobbyTransaction>;
  readonly onProgress?: ((read: number, of: number) => void) | undefined;
};

/** Everything that ever happened to a pool, from a node of the reader's choice. Throws if the node does not list it. */
export async function readLobbyChain(request: LobbyRequest): Promise<LobbyChain> {
  const { rpc, programId, chainLobbyId, known, onProgress } = request;
  const lobbyConfig = await findLobbyConfig(programId, chainLobbyId);
  const lobby = await readLobby(rpc, programId, chainLobbyId);
  const pool: PoolAccount = {
    address: lobby && !lobby.isSolLobby ? lobby.rewardPoolTokenAccount : lobbyConfig,
    reserveLamports: lobby && !lobby.isSolLobby ? undefined : (lobby?.reserveLamports ?? 0n),
  };
  const accounts = pool.address === lobbyConfig ? [lobbyConfig] : [lobbyConfig, pool.address];
  const lists = await Promise.all(
    accounts.map((account) => listTransactions({ rpc, account, sinceSlot: 0n })),
  );
  const listed = new Map(
    lists
      .flat()
      .filter(({ isFailed }) => !isFailed)
      .map((one) => [one.signature, one]),
  );
  let unread = 0;
  const read = async (signature: Signature): Promise<void> => {
    const seen = await see(request, signature, lobbyConfig, pool).catch(() => undefined);
    if (seen) known.set(signature, seen);
    else unread++;
    onProgress?.(known.size, listed.size);
  };
  await Promise.all([...listed.keys()].filter((signature) => !known.has(signature)).map(read));
  const transactions = [...known.values()].toSorted((a, b) => Number(a.slot - b.slot));
  const newestSlot = transactions.at(-1)?.slot ?? 0n;
  const balance = await readPoolBalance(rpc, pool, newestSlot).catch(() => undefined);
  return {
    token: request.token,
    transactions,
    unread,
    pool: balance?.amount,
    newestSlot: balance?.slot ?? newestSlot,
  };
}

async function see(
  { rpc, programId }: LobbyRequest,
  signature: Signature,
  lobbyConfig: Address,
  pool: PoolAccount,
): Promise<LobbyTransaction | undefined> {
  const reading = await readTransaction([rpc], signature);
  if (reading.kind !== 'read') return undefined;
  const { transaction } = reading;
  const change = readPoolChange(transaction, pool);
  if (change === undefined) return undefined;
  const claim = readClaim(transaction, programId);
  return {
    signature,
    slot: BigInt(transaction.slot),
    joins: readJoinPayments(transaction, programId)
      .filter((join) => join.lobbyConfig === lobbyConfig)
      .map(({ player, stake }) => ({ player, stake })),
    claims: (claim?.payments ?? [])
      .filter((payment) => payment.lobbyConfig === lobbyConfig)
      .map(({ player, amount }) => ({ player, amount })),
    memo: claim?.memo ?? '',
    change,
  };
}
