import { findTokenAccount } from '@engulf/chain/pdas';
import type { Lobby } from '@engulf/chain/read-configs';
import { readLobby, readPool } from '@engulf/chain/read-configs';
import type { Address, Rpc, SolanaRpcApi } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import type { Localnet } from '../src/start-localnet.ts';

export type DemoRpc = Rpc<SolanaRpcApi>;

/** Base units. */
export type Holdings = {
  readonly lamports: bigint;
  readonly tokens: bigint;
};

export type Balances = ReadonlyMap<string, Holdings>;

/** The holdings of wallets, and of the two lobbies' pools, at finalized level. */
export async function readBalances(
  rpc: DemoRpc,
  net: Localnet,
  wallets: Readonly<Record<string, Address>>,
  lobbies: Readonly<Record<string, bigint>>,
): Promise<Balances> {
  const balances = new Map<string, Holdings>();
  for (const [name, wallet] of Object.entries(wallets)) {
    const { value: lamports } = await rpc.getBalance(wallet, { commitment: 'finalized' }).send();
    balances.set(name, { lamports, tokens: await readTokens(rpc, wallet, net.testToken.mint) });
  }
  for (const [name, lobbyId] of Object.entries(lobbies)) {
    const lobby = await expectLobby(rpc, net.programId, lobbyId);
    const pool = await readPool(rpc, lobby, 'finalized');
    balances.set(name, lobby.isSolLobby ? { lamports: pool, tokens: 0n } : { lamports: 0n, tokens: pool });
  }
  return balances;
}

export async function expectLobby(rpc: DemoRpc, programId: Address, lobbyId: bigint): Promise<Lobby> {
  const lobby = await readLobby(rpc, programId, lobbyId, 'finalized');
  if (!lobby) throw new Error(`Lobby ${lobbyId} is not on the chain`);
  return lobby;
}

async function readTokens(rpc: DemoRpc, owner: Address, mint: Address): Promise<bigint> {
  const account = await findTokenAccount({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS });
  const { value } = await rpc.getAccountInfo(account, { commitment: 'finalized', encoding: 'base64' }).send();
  if (!value) return 0n;
  const { value: balance } = await rpc.getTokenAccountBalance(account, { commitment: 'finalized' }).send();
  return BigInt(balance.amount);
}
