import { type Address, address, getProgramDerivedAddress, getU64Encoder } from '@solana/kit';
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { findGlobalConfigPda } from '../generated/pdas/globalConfig.ts';
import { findLobbyConfigPda } from '../generated/pdas/lobbyConfig.ts';

/** Unlike the generated functions, these require the program's address and have no default for it. */
export async function findGlobalConfig(programId: Address): Promise<Address> {
  const [globalConfig] = await findGlobalConfigPda({ programAddress: programId });
  return globalConfig;
}

export async function findLobbyConfig(programId: Address, lobbyId: bigint): Promise<Address> {
  const [lobbyConfig] = await findLobbyConfigPda({ lobbyId }, { programAddress: programId });
  return lobbyConfig;
}

export async function findClaimCounter(programId: Address, lobbyId: bigint): Promise<Address> {
  const seeds = ['claims', getU64Encoder().encode(lobbyId)];
  const [claimCounter] = await getProgramDerivedAddress({ programAddress: programId, seeds });
  return claimCounter;
}

export async function findPayoutKey(programId: Address, lobbyId: bigint): Promise<Address> {
  const seeds = ['payout_key', getU64Encoder().encode(lobbyId)];
  const [payoutKey] = await getProgramDerivedAddress({ programAddress: programId, seeds });
  return payoutKey;
}

export async function findTokenAccount(token: {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}): Promise<Address> {
  const [tokenAccount] = await findAssociatedTokenPda(token);
  return tokenAccount;
}

export const TOKEN_2022_PROGRAM_ADDRESS = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');

export function isTokenProgram(program: Address): boolean {
  return program === TOKEN_PROGRAM_ADDRESS || program === TOKEN_2022_PROGRAM_ADDRESS;
}
