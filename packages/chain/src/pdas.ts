import type { Address } from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token';
import { findGlobalConfigPda } from './generated/pdas/globalConfig.ts';
import { findLobbyConfigPda } from './generated/pdas/lobbyConfig.ts';

/** The generated client falls back to the development address; here the program's address is always asked for. */
export async function findGlobalConfig(programId: Address): Promise<Address> {
  const [globalConfig] = await findGlobalConfigPda({ programAddress: programId });
  return globalConfig;
}

export async function findLobbyConfig(programId: Address, lobbyId: bigint): Promise<Address> {
  const [lobbyConfig] = await findLobbyConfigPda({ lobbyId }, { programAddress: programId });
  return lobbyConfig;
}

export async function findTokenAccount(token: {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}): Promise<Address> {
  const [tokenAccount] = await findAssociatedTokenPda(token);
  return tokenAccount;
}
