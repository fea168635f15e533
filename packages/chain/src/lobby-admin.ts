import type { Address, Instruction, TransactionSigner } from '@solana/kit';
import { getCreateLobbyInstruction } from './generated/instructions/createLobby.ts';
import { getEditLobbyPriceInstruction } from './generated/instructions/editLobbyPrice.ts';
import { getRemoveLobbyInstruction } from './generated/instructions/removeLobby.ts';
import { findGlobalConfig, findLobbyConfig } from './pdas.ts';
import type { Lobby } from './read-configs.ts';

type AdminRequest = {
  readonly programId: Address;
  readonly superAdmin: TransactionSigner;
};

export async function createLobbyInstruction(
  request: AdminRequest & {
    readonly lobbyId: bigint;
    readonly entryFee: bigint;
    /** Undefined for a lobby in SOL. */
    readonly tokenMint: Address | undefined;
  },
): Promise<Instruction> {
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

export async function editLobbyPriceInstruction(
  request: AdminRequest & { readonly lobbyId: bigint; readonly entryFee: bigint },
): Promise<Instruction> {
  const { programId, superAdmin, lobbyId, entryFee } = request;
  return getEditLobbyPriceInstruction(
    {
      globalConfig: await findGlobalConfig(programId),
      lobbyConfig: await findLobbyConfig(programId, lobbyId),
      superAdmin,
      entryFeeAmount: entryFee,
    },
    { programAddress: programId },
  );
}

/** The program refuses while the pool holds anything. */
export async function removeLobbyInstruction(
  request: AdminRequest & {
    readonly lobby: Lobby;
    /** The program that owns the lobby's mint; undefined in a SOL lobby. */
    readonly tokenProgram: Address | undefined;
  },
): Promise<Instruction> {
  const { programId, superAdmin, lobby, tokenProgram } = request;
  return getRemoveLobbyInstruction(
    {
      globalConfig: await findGlobalConfig(programId),
      lobbyConfig: lobby.address,
      superAdmin,
      ...(tokenProgram && { rewardPoolTokenAccount: lobby.rewardPoolTokenAccount, tokenProgram }),
    },
    { programAddress: programId },
  );
}
