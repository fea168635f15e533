import {
  type Address,
  type Commitment,
  fetchEncodedAccount,
  type GetAccountInfoApi,
  type GetTokenAccountBalanceApi,
  type Rpc,
} from '@solana/kit';
import { fetchMaybeGlobalConfig, type GlobalConfig } from '../generated/accounts/globalConfig.ts';
import { decodeLobbyConfig, type LobbyConfig } from '../generated/accounts/lobbyConfig.ts';
import { findGlobalConfig, findLobbyConfig } from './pdas.ts';

export type Lobby = LobbyConfig & {
  readonly address: Address;
  readonly lamports: bigint;
};

/** Undefined if the program was not initialized on this chain. */
export async function readGlobalConfig(
  rpc: Rpc<GetAccountInfoApi>,
  programId: Address,
  commitment: Commitment = 'confirmed',
): Promise<GlobalConfig | undefined> {
  const account = await fetchMaybeGlobalConfig(rpc, await findGlobalConfig(programId), { commitment });
  return account.exists && account.programAddress === programId ? account.data : undefined;
}

/** Undefined if the lobby does not exist, or no longer does. */
export async function readLobby(
  rpc: Rpc<GetAccountInfoApi>,
  programId: Address,
  lobbyId: bigint,
  commitment: Commitment = 'confirmed',
): Promise<Lobby | undefined> {
  const account = await fetchEncodedAccount(rpc, await findLobbyConfig(programId, lobbyId), { commitment });
  // A removed lobby leaves an account without data behind.
  if (!account.exists || account.programAddress !== programId || account.data.length === 0) return undefined;
  return { ...decodeLobbyConfig(account).data, address: account.address, lamports: account.lamports };
}

/** What the lobby can pay out: lamports above its reserve, or the tokens in its pool account. */
export async function readPool(
  rpc: Rpc<GetAccountInfoApi & GetTokenAccountBalanceApi>,
  lobby: Lobby,
  commitment: Commitment = 'confirmed',
): Promise<bigint> {
  if (lobby.isSolLobby) return lobby.lamports - lobby.reserveLamports;
  const pool = lobby.rewardPoolTokenAccount;
  // Before the first entry the pool account does not exist, and asking for its balance is an error.
  const { value: account } = await rpc.getAccountInfo(pool, { commitment, encoding: 'base64' }).send();
  if (!account) return 0n;
  const { value: balance } = await rpc.getTokenAccountBalance(pool, { commitment }).send();
  return BigInt(balance.amount);
}
