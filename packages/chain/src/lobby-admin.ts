import type { Address, Instruction, TransactionSigner } from '@solana/kit';
import { getCreateLobbyInstruction } from './generated/instructions/createLobby.ts';
import { findGlobalConfig, findLobbyConfig } from './pdas.ts';

export async function createLobbyInstruction(request: {
  readonly programId: Address;
  readonly superAdmin: TransactionSigner;
  readonly lobbyId: bigint;
  readonly entryFee: bigint;
  /** Undefined for a SOL lobby. */
  readonly tokenMint: Address | undefined;
}): Promise<Instruction> {
  const { programId, superAdmin, lobbyId, entryFee, tokenMint } = request;
  return getCreateLobbyInstruction(
    {
      globalConfig: await findGlobalConfig(programId),
      lobbyConfig: await findLobbyConfig(programId, lobbyId),
      superAdmin,
      lobbyId,
      entryFeeAmount: entryFee,
      isSolLobby: tokenMint === undefined,
      ...(tokenMint && { tokenMint }),
    },
    { programAddress: programId },
  );
}
